"""nbgrader's settings for everyone on the class's server: /etc/jupyter/nbgrader_config.py.

JupyterHub puts CLASS_EXCHANGE into every server's environment, and CLASS_GRADER into that of a course's grader.
"""

import os

c = get_config()  # noqa: F821

c.Exchange.root = os.environ["CLASS_EXCHANGE"]
c.Exchange.path_includes_course = True
c.Authenticator.plugin_class = "nbgrader.auth.JupyterHubAuthPlugin"  # whose courses are shown: the hub's groups know
if "CLASS_GRADER" in os.environ:
    c.ExchangeFactory.collect = "classroom.hub.collect.CollectOwn"
