"""Dovecot and Postfix as Debian has them, each as an instance of its own: in a folder of the test, on high ports of
this machine alone, started by the test and stopped with it. The system's services are not touched."""

from __future__ import annotations

import contextlib
import mailbox
import os
import pwd
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path

from .post_servers import ANSWERS, PASSWORD, Certificate, ImapServer, Received, SmtpServer, free_port


def missing(*programs: str) -> str:
    """Why these cannot run here; empty if they can."""
    absent = [program for program in programs if shutil.which(program, path=PATH) is None]
    if absent:
        return f"not installed: {', '.join(absent)}"
    return "" if os.geteuid() == 0 else "only root may start an instance of its own"


PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
ENVIRONMENT = {**os.environ, "PATH": PATH}


@dataclass(slots=True)
class Daemon:
    """A server in the foreground that can be stopped and started again; `port` is the one that it answers at."""

    start: list[str]
    stop: list[str]
    port: int
    log: Path
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def up(self) -> None:
        """Start it; on return it takes connections."""
        self.process = subprocess.Popen(self.start, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
        wait_for(self.port, self.process, self.log)

    def down(self) -> None:
        """Stop it, with every connection that it has."""
        process, self.process = self.process, None
        if process is not None:
            subprocess.run(self.stop, env=ENVIRONMENT, capture_output=True, timeout=30)
            process.wait(20)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """From the moment it takes connections to the end of the block."""
        try:
            self.up()
            yield
        finally:
            self.down()


@contextlib.contextmanager
def dovecot_server(folder: Path, files: Certificate) -> Iterator[ImapServer]:
    """An IMAP server with letters in a Maildir, and a socket at `auth` for the logins of Postfix."""
    daemon, server = dovecot(folder, files)
    with daemon.running():
        yield server


def dovecot(folder: Path, files: Certificate) -> tuple[Daemon, ImapServer]:
    """The same, before it is started."""
    port, tls_port = free_port(), free_port()
    owner = pwd.getpwnam("mail")
    (folder / "mail").mkdir()
    os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
    folder.joinpath("dovecot.conf").write_text(
        f"""
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{files.certificate}
ssl_key = <{files.key}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:{folder}/mail/%u
mail_fsync = never
first_valid_uid = 1
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  unix_listener {folder}/auth {{
    mode = 0666
  }}
}}
"""
    )
    control = ["-c", str(folder / "dovecot.conf")]
    daemon = Daemon(["dovecot", "-F", *control], ["doveadm", *control, "stop"], port, folder / "dovecot.log")
    return daemon, ImapServer(port, keywords=True, tls_port=tls_port)


@contextlib.contextmanager
def postfix_server(
    folder: Path, files: Certificate, auth: Path, home: Path, people: tuple[str, ...] = ()
) -> Iterator[SmtpServer]:
    """An SMTP server that asks Dovecot for logins.

    It delivers all mail to example.org into the Maildir `home`, or that of each of the `people` into one beside it.
    """
    daemon, server = postfix(folder, files, auth, home, people)
    with daemon.running():
        yield server


def postfix(
    folder: Path, files: Certificate, auth: Path, home: Path, people: tuple[str, ...] = ()
) -> tuple[Daemon, SmtpServer]:
    """The same, before it is started."""
    boxes = ", ".join(f"{{ {name}@example.org = {name}/ }}" for name in people)
    port = free_port()
    made = {name: folder / name for name in ("etc", "spool", "data")}
    for path in made.values():
        path.mkdir()
    os.chown(made["data"], pwd.getpwnam("postfix").pw_uid, -1)
    owner = pwd.getpwnam("mail")
    access = ", ".join(f"{{ {name}@example.org = {answer} }}" for name, answer in ANSWERS.items())
    made["etc"].joinpath("main.cf").write_text(
        f"""
compatibility_level = 3.6
queue_directory = {made["spool"]}
data_directory = {made["data"]}
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = mail.example.org
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_base = {home.parent}
virtual_mailbox_maps = {f"inline:{{ {boxes} }}" if people else f"static:{home.name}/"}
virtual_uid_maps = static:{owner.pw_uid}
virtual_minimum_uid = 1
virtual_gid_maps = static:{owner.pw_gid}
smtpd_recipient_restrictions = check_recipient_access inline:{{ {access} }}, permit_sasl_authenticated,
  permit_mynetworks, reject
smtpd_tls_security_level = may
smtpd_tls_cert_file = {files.certificate}
smtpd_tls_key_file = {files.key}
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {auth}
smtpd_tls_auth_only = yes
"""
    )
    services = Path("/usr/share/postfix/master.cf.dist").read_text()
    services = re.sub(r"(?m)^smtp +inet .*$", f"127.0.0.1:{port} inet n - n - - smtpd", services)
    made["etc"].joinpath("master.cf").write_text(re.sub(r"(?m)^(\S+ +\S+ +\S+ +\S+ +)y ", r"\1n ", services))
    control = ["postfix", "-c", str(made["etc"])]
    daemon = Daemon([*control, "start-fg"], [*control, "stop"], port, folder / "postfix.log")
    return daemon, SmtpServer(port, lambda count: delivered(home, count))


def delivered(home: Path, count: int) -> list[Received]:
    """What was put into a Maildir, once it is so many: the sender, the receiver, and the mail with CR LF, without the
    headers that its way added. The letters are taken away."""
    box = mailbox.Maildir(home)
    until = time.monotonic() + 20
    while len(box) < count and time.monotonic() < until:
        time.sleep(0.05)
    raw = sorted((key, box.get_bytes(key)) for key in box.keys())  # noqa: SIM118 - a Maildir iterates over mails
    box.clear()
    return [_without_way(data) for _, data in raw]


def _without_way(data: bytes) -> Received:
    headers = message_from_bytes(data)
    way = rb"(?:(?:Return-Path|X-Original-To|Delivered-To|Received):.*\n(?:[ \t].*\n)*)*"
    mail = re.sub(rb"\A" + way, b"", data).replace(b"\n", b"\r\n")
    return headers["Return-Path"].strip("<>"), (headers["X-Original-To"],), mail


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise AssertionError(f"{process.args!r} does not start: {log.read_text() if log.exists() else 'no log'}")
