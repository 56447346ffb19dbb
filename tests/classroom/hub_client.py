"""JupyterHub as its users reach it: over HTTP through the proxy, logged in as one of them."""

import json
import socket
import subprocess
import time
import uuid

import requests
from hub_machine import Machine
from websocket import create_connection

PATIENCE = 120.0


class Hub:
    """A running JupyterHub on a Machine that was set up as the README says. address: where the proxy listens."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        public, hub, proxy = free_ports(3)
        self.address = f"http://127.0.0.1:{public}"
        line = (
            "exec /opt/paged/.venv/bin/python -m jupyterhub -f /srv/paged/teacher/classroom/hub/jupyterhub_config.py"
            f" --JupyterHub.bind_url={self.address} --JupyterHub.hub_port={hub}"
            f" --ConfigurableHTTPProxy.api_url=http://127.0.0.1:{proxy} > /srv/paged/hub.log 2>&1"
        )
        self.process = subprocess.Popen(machine.command(line))
        wait_for(self._answers, "the hub answers", self.log)

    def log(self) -> str:
        return self.machine.run("tail -n 60 /srv/paged/hub.log")

    def user(self, name: str) -> "User":
        """Logs in. Raises HTTPError where the hub refuses."""
        asked = {"auth": {"username": name, "password": "any"}}
        token = checked(requests.post(f"{self.address}/hub/api/users/{name}/tokens", json=asked, timeout=60))["token"]
        return User(self, name, token)

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.log()
        try:
            return requests.get(f"{self.address}/hub/api/", timeout=5).ok
        except requests.ConnectionError:
            return False


class User:
    """Someone who is logged in. `server` is whose server is meant where it isn't their own."""

    def __init__(self, hub: Hub, name: str, token: str) -> None:
        self.hub, self.name = hub, name
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"token {token}"

    def ask(self, method: str, path: str, **content) -> requests.Response:
        return self.session.request(method, f"{self.hub.address}{path}", timeout=300, **content)

    def start(self, server: str | None = None) -> None:
        server = server or self.name
        self.ask("POST", f"/hub/api/users/{server}/server").raise_for_status()
        wait_for(lambda: self.ask("GET", f"/user/{server}/api/status").ok, f"{server}'s server is up", self.hub.log)

    def get(self, path: str, server: str | None = None):
        return checked(self.ask("GET", f"/user/{server or self.name}/{path}"))

    def post(self, path: str, server: str | None = None, **body):
        return checked(self.ask("POST", f"/user/{server or self.name}/{path}", json=body))

    def put(self, path: str, **body):
        return checked(self.ask("PUT", f"/user/{self.name}/{path}", json=body))

    def pull(self, asked: dict[str, str]) -> list[dict]:
        """What nbgitpuller says while it updates."""
        reply = self.ask("GET", f"/user/{self.name}/git-pull/api", params=asked)
        reply.raise_for_status()
        return [json.loads(line.removeprefix("data: ")) for line in reply.text.splitlines() if line.startswith("data:")]

    def execute(self, source: str) -> str:
        """Run source in a new kernel of their server. Returns what it printed; raises AssertionError with its error."""
        kernel = self.post("api/kernels")["id"]
        address = self.hub.address.replace("http", "ws", 1)
        channel = create_connection(
            f"{address}/user/{self.name}/api/kernels/{kernel}/channels",
            header=[f"Authorization: {self.session.headers['Authorization']}"],
            timeout=PATIENCE,
        )
        try:
            return executed(channel, source)
        finally:
            channel.close()
            self.ask("DELETE", f"/user/{self.name}/api/kernels/{kernel}").raise_for_status()


def executed(channel, source: str) -> str:
    asked = {"msg_id": uuid.uuid4().hex, "username": "", "session": uuid.uuid4().hex, "version": "5.3"}
    header = {**asked, "msg_type": "execute_request"}
    content = {"code": source, "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
    channel.send(json.dumps(message))
    said = ""
    while True:
        reply = json.loads(channel.recv())
        if reply["parent_header"].get("msg_id") != header["msg_id"]:
            continue
        content = reply["content"]
        match reply["msg_type"]:
            case "stream":
                said += content["text"]
            case "display_data" | "execute_result":
                said += content["data"].get("text/plain", "")
            case "error":
                raise AssertionError("\n".join(content["traceback"]))
            case "status" if content["execution_state"] == "idle":
                return said


def checked(reply: requests.Response):
    """The answer, parsed. Raises HTTPError for a refusal, with what was said."""
    if not reply.ok:
        raise requests.HTTPError(f"{reply.status_code} {reply.request.method} {reply.url}\n{reply.text[-2000:]}")
    return reply.json()


def wait_for(condition, what: str, log) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"not within {PATIENCE:.0f} s: {what}\n{log()}"
        time.sleep(0.3)


def free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()
