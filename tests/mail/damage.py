"""What e-mail does to a turn file: one function for each row of the plan, from a letter to a letter.

M37 (files lost or out of order) is a matter of many letters and is shown in `test_boxes.py`.
"""
# ruff: noqa: ARG001 - all rows have one signature, and some need no random choice

from __future__ import annotations

import quopri
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from random import Random

from pbem.mail import armour

from .letters import Letter, as_html, forwarded, nested, scattered, tnef

OLD = b"an older turn that is quoted"
Row = Callable[[Letter, Random], Letter]

FOOTER = "\n_______________________________________________\nWargamers mailing list\nhttp://example.org/list\n"
STRANGE = "\xa0\u2007\u200b\u200c\u200d\xad\ufeff\u202f"
SMART = {"--": "\u2014", "...": "\u2026", "-": "\u2013", "'": "\u2019", '"': "\u201d"}


def m1(letter: Letter, random: Random) -> Letter:
    ends = random.choice(((b"\r\n",), (b"\r",), (b"\n", b"\r\n"), (b"\r", b"\r\n")))
    return letter.wrapped(lambda data: b"".join(line + random.choice(ends) for line in data.split(b"\n")))


def m2(letter: Letter, random: Random) -> Letter:
    joint = random.choice(("", " "))
    return replace(
        letter.edited(lambda text: text.replace("\n", joint)), label="; charset=utf-8; format=flowed; DelSp=yes"
    )


def m3(letter: Letter, random: Random) -> Letter:
    return letter.edited(lambda text: re.sub(r"(?m)^(?= |>|From )", " ", text))


def m4(letter: Letter, random: Random) -> Letter:
    if random.random() < 0.5:
        return replace(letter, encoding="quoted-printable")
    return letter.edited(lambda text: quopri.encodestring(text.encode()).decode())


def m5(letter: Letter, random: Random) -> Letter:
    return replace(letter, encoding="base64", width=random.choice((60, 76, 1000)))


def m6(letter: Letter, random: Random) -> Letter:
    split = letter.edited(lambda text: re.sub(r"([^\n]{75})(?=[^\n])", r"\1\n", text))
    return replace(split, encoding="quoted-printable")


def m7(letter: Letter, random: Random) -> Letter:
    prefix = random.choice((">", "> ", "| ", "\t", "    ")) * random.randint(1, 4)
    return letter.edited(lambda text: "".join(f"{prefix}{line}\n" for line in text.splitlines()))


def m8(letter: Letter, random: Random) -> Letter:
    quoted = m7(letter, random).text
    return replace(letter, text=f"Thanks, see you!\n\nOn Monday, Anna <anna@example.org> wrote:\n{quoted}\n-- \nBob\n")


def m9(letter: Letter, random: Random) -> Letter:
    mark = random.choice((">", ">>"))
    started = letter.edited(lambda text: re.sub(r"(?m)^From ", f"{mark}From ", "From here on\n" + text))
    return started.boxed(lambda data: (data,))


def m10(letter: Letter, random: Random) -> Letter:
    return letter.edited(lambda text: re.sub(r"(?m)^\.", "..", ".\n" + text))


def m11(letter: Letter, random: Random) -> Letter:
    return replace(letter.edited(as_html), media="text/html")


def m12(letter: Letter, random: Random) -> Letter:
    return letter.edited(lambda text: re.sub(r"\s+", " ", text))


def m14(letter: Letter, random: Random) -> Letter:
    return letter.edited(lambda text: re.sub(r"(?<!\n)\n(?!\n)", "", text))


def m15(letter: Letter, random: Random) -> Letter:
    doubled = random.random() < 0.5
    return letter.edited(lambda text: text.replace("\n", "\n\n") if doubled else re.sub(r"\n+", "\n", text))


def m16(letter: Letter, random: Random) -> Letter:
    def smarten(text: str) -> str:
        for plain, smart in SMART.items():
            text = text.replace(plain, smart)
        return text

    return letter.edited(smarten)


def m17(letter: Letter, random: Random) -> Letter:
    return letter.edited(lambda text: scattered(text, STRANGE, random))


def m18(letter: Letter, random: Random) -> Letter:
    width = random.choice((60, 72, 78))
    if random.random() < 0.3:
        return letter.edited(lambda text: " ".join(text.split("\n")))
    return letter.edited(lambda text: "\n".join(textwrap.wrap(text, width)))


def m19(letter: Letter, random: Random) -> Letter:
    return letter.edited(lambda text: re.sub(r"([^\n]{990})(?=[^\n])", r"\1!\n", text))


def m20(letter: Letter, random: Random) -> Letter:
    end = random.choice(("", " ", "\t", "   "))
    return letter.edited(lambda text: "".join(f"{line.rstrip()}{end}\n" for line in text.split("\n")))


def m21(letter: Letter, random: Random) -> Letter:
    more = random.choice(
        (FOOTER, "\nVirus-free. www.example.com\n", "\nThis e-mail is confidential. Do not read it.\n")
    )
    return letter.edited(lambda text: text + more)


def m22(letter: Letter, random: Random) -> Letter:
    lines = letter.text.split("\n")
    middle = len(lines) // 2
    return replace(letter, text="\n".join((*lines[:middle], *FOOTER.split("\n"), *lines[middle:])))


def m23(letter: Letter, random: Random) -> Letter:
    munged = dict(letter.headers) | {
        "From": "Anna via Wargamers <wargamers@lists.example.org>",
        "Subject": "[Wargamers] AW: Re: [EXTERNAL] [pbem] westerplatte",
        "DKIM-Signature": "v=1; a=rsa-sha256; d=example.org; s=x; b=AAAA",
        "List-Id": "<wargamers.lists.example.org>",
    }
    return replace(letter, headers=tuple(munged.items()))


def m24(letter: Letter, random: Random) -> Letter:
    label = random.choice(("cp1252", "utf-16", "x-unknown", '""', "punycode", "utf-7", "\x00", "idna"))
    return replace(letter, label=f"; charset={label}")


def m26(letter: Letter, random: Random) -> Letter:
    received = b"Received: from relay.example.org by mx.example.org\n"
    return letter.boxed(lambda data: (data, received + data + FOOTER.encode()))


def m27(letter: Letter, random: Random) -> Letter:
    given = random.choice(("", "<>", "<ATT@outlook.example>", "no brackets"))
    other = Letter(armour.encode(OLD), headers=(*letter.headers[:3], ("Message-ID", given))).to_bytes()
    changed = replace(letter, headers=(*letter.headers[:3], ("Message-ID", given)))
    return changed.boxed(lambda data: (other, data))


def m28(letter: Letter, random: Random) -> Letter:
    name = random.choice(
        (
            "; filename=ATT00001.bin",
            '; filename="a.txt.txt"',
            "; filename*0*=x''%ff%00; filename*9=b",
            '; filename="',
            "",
        )
    )
    return replace(letter, disposition=f"Content-Disposition: attachment{name}")


def m29(letter: Letter, random: Random) -> Letter:
    changed = replace(letter, media=random.choice(("application/octet-stream", "text/x-turn", "garbage")))
    return random.choice(
        (changed, replace(changed, disposition="Content-Disposition: inline"), letter.wrapped(forwarded))
    )


def m30(letter: Letter, random: Random) -> Letter:
    named = replace(letter, media="application/ms-tnef", label='; name="winmail.dat"', encoding="base64")
    return replace(named, container=tnef)


def m32(letter: Letter, random: Random) -> Letter:
    signature = (
        "Content-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----"
    )
    return letter.wrapped(nested("signed", signature, parameters="; protocol=application/pgp-signature"))


def m32_encrypted(letter: Letter, random: Random) -> Letter:
    hidden = (
        b"Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\nhQEMA\n-----END PGP MESSAGE-----\n"
    )
    return letter.wrapped(
        lambda _: nested("encrypted", "Content-Type: application/pgp-encrypted\n\nVersion: 1")(hidden)
    )


def m33(letter: Letter, random: Random) -> Letter:
    link = r"(?i)https?://\S+|www\.\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|pl)\b"
    return letter.edited(lambda text: re.sub(link, "https://safelinks.example.com/?url=x&data=05%7C02%7C", text))


def m34(letter: Letter, random: Random) -> Letter:
    size = random.choice((len(letter.text) // 10, len(letter.text) * 8 // 10, len(letter.text) // 2))
    return replace(letter, text=letter.text[: min(size, 102_000)])


def m35(letter: Letter, random: Random) -> Letter:
    return letter.edited(random.choice((str.lower, str.upper, _without_plus, _full_width)))


def _without_plus(text: str) -> str:
    return text.replace("+", " ")


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def m36(letter: Letter, random: Random) -> Letter:
    old = m8(Letter(armour.encode(OLD)), random).text
    return letter.edited(random.choice((lambda text: f"{old}\n\n{text}", lambda text: f"{text}\n\n{old}")))


def m38(letter: Letter, random: Random) -> Letter:
    status = (
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\nAction: failed\nStatus: 5.1.1"
    )
    reply = replace(letter, headers=(*letter.headers, ("Auto-Submitted", "auto-replied")))
    return random.choice((reply, letter.wrapped(nested("report", status, parameters="; report-type=delivery-status"))))


def m40(letter: Letter, random: Random) -> Letter:
    return replace(letter, codec=random.choice(("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")))


SURVIVED: dict[str, Row] = {
    "M1": m1, "M2": m2, "M3": m3, "M4": m4, "M5": m5, "M6": m6, "M7": m7, "M8": m8, "M9": m9, "M10": m10,
    "M11": m11, "M12": m12, "M14": m14, "M15": m15, "M16": m16, "M17": m17, "M18": m18, "M19": m19, "M20": m20,
    "M21": m21, "M23": m23, "M24": m24, "M26": m26, "M27": m27, "M28": m28, "M29": m29, "M30": m30, "M32": m32,
    "M33": m33, "M36": m36, "M38": m38, "M40": m40,
}  # fmt: skip
DETECTED: dict[str, Row] = {"M22": m22, "M32 encrypted": m32_encrypted, "M34": m34, "M35": m35}
ROWS = SURVIVED | DETECTED
