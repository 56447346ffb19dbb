"""What went wrong, in one line that says what to do next."""

import re

from .wording import text


class SetupFailed(Exception):
    """The set-up cannot go on. Its message is one line for the learner."""


NETWORK = re.compile(
    r"Name or service not known|Temporary failure in name resolution|nodename nor servname|getaddrinfo failed|"
    r"Network is unreachable|No route to host|Connection refused|Failed to establish a new connection|Connection reset|"
    r"ConnectTimeout|ReadTimeout|Read timed out|timed out|Connection to \S+ failed|ProxyError|Cannot connect to proxy"
)
CERTIFICATE = re.compile(r"CERTIFICATE_VERIFY_FAILED|SSLCertVerificationError|certificate verify failed")
DISK = re.compile(r"No space left on device|\[Errno 28\]|Disk quota exceeded|\[Errno 122\]")
NOTHING = re.compile(r"satisfies the requirement (\S+) .*\(from versions: none\)")
NO_BUILD = re.compile(r"(?:No matching distribution found for|satisfies the requirement) (\S+)")
PERMISSION = re.compile(r"\[Errno 13\] Permission denied: '([^']+)'")


def explain(output: str) -> str:
    """The cause of a failed pip or venv run, read from what it printed."""
    if DISK.search(output):
        return text(
            "The disk is full. Free some space and run the same command again.",
            "磁盘满了。腾出空间后再运行同一条命令。",
        )
    if CERTIFICATE.search(output):
        return text(
            "A certificate was refused. Behind a company's proxy, give pip its: pip config set global.cert FILE",
            "证书校验失败。如果在公司代理之后，请把代理的证书告诉 pip：pip config set global.cert 文件",
        )
    if NETWORK.search(output):
        return text(
            "pip could not reach its package index. Check the network, or pip's mirror and proxy settings, and run"
            " the same command again.",
            "pip 连不上软件包索引。请检查网络（或 pip 的镜像、代理设置），再运行同一条命令。",
        )
    if found := NOTHING.search(output):
        return text(
            f"pip found no {found[1]} at all: there is no network, or a mirror that lacks it.",
            f"pip 完全找不到 {found[1]}：可能没有网络，也可能镜像里没有它。",
        )
    if found := NO_BUILD.search(output):
        package = found[1]
        return text(
            f"pip's package index has no {package} for this machine. A mirror may lag behind: try another one.",
            f"pip 的软件包索引里没有适合本机的 {package}。镜像可能没有同步，换一个试试。",
        )
    if found := PERMISSION.search(output):
        return text(f"No permission to write {found[1]}.", f"没有权限写入 {found[1]}。")
    errors = [line for line in output.splitlines() if re.match(r"(ERROR|error|Error)\b", line.strip())]
    last = (errors or output.strip().splitlines() or ["no output"])[-1].strip()
    return text(f"It failed with: {last}", f"出错信息：{last}")
