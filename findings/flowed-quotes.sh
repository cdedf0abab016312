#!/usr/bin/env bash
# mailparser 3.9.31 and postal-mime 4.0.0 join lines of a text in format=flowed across quote marks.
#
# RFC 3676, 4.5: the quote mark of each line is removed before lines are joined, and a line whose quote depth differs from
# the next one's ends its paragraph, even if it ends with a space. Thunderbird and Mutt send such replies.
# Both parsers join first. So the mark of the second quoted line stays in the middle of the text, and what the sender wrote
# below a quotation whose last line ends with a space becomes part of the quotation. Whoever removes quoted lines
# afterwards loses the reply.
#
# Seen on 2026-11-28, Node 24:
#   mailparser   "> On Friday we > open at nine."      "> See you at noon Fine with me."
#   postal-mime  "> On Friday we > open at nine.\n"    "> See you at noon Fine with me.\n"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent mailparser@3.9.31 postal-mime@4.0.0
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const emailOf = (body) =>
  `From: a@a.example\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n${body}`
const cases = [
  ['> On Friday we \r\n> open at nine.\r\n', '> On Friday we > open at nine.'],
  ['> See you at noon \r\nFine with me.\r\n', '> See you at noon Fine with me.'],
]
for (const [body, seen] of cases) {
  const a = (await simpleParser(emailOf(body))).text.trimEnd()
  const b = (await PostalMime.parse(emailOf(body))).text.trimEnd()
  console.log(JSON.stringify({ mailparser: a, 'postal-mime': b }))
  strictEqual(a, seen)
  strictEqual(b, seen)
}
JS
node check.mjs
echo 'unchanged: flowed lines are joined across quote marks'
