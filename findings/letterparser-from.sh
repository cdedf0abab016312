#!/usr/bin/env bash
# letterparser 0.1.8 makes one address of several senders, of a group, and of an address with a comment.
#
# From may list several mailboxes, groups are allowed since RFC 6854, and a comment in parentheses isn't part of an address
# (RFC 5322, 3.2.2 and 3.6.2). The parser takes all that follows the first "<" or the whole field for the address, so an
# answer would go to "a@a.example (Ann)". postal-mime 4.0.0 reads each of them.
#
# Seen on 2026-11-30, Node 24:
#   Ann <a@a.example>, Bo <b@a.example>    a@a.example>, Bo <b@a.example
#   a@a.example (Ann)                      a@a.example (Ann)
#   Team: a@a.example;                     Team: a@a.example;
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent letterparser@0.1.8 postal-mime@4.0.0
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { extract } from 'letterparser'
import PostalMime from 'postal-mime'

for (const [from, seen] of [
  ['Ann <a@a.example>, Bo <b@a.example>', 'a@a.example>, Bo <b@a.example'],
  ['a@a.example (Ann)', 'a@a.example (Ann)'],
  ['Team: a@a.example;', 'Team: a@a.example;'],
]) {
  const text = `From: ${from}\r\nTo: c@a.example\r\nSubject: A\r\n\r\nHi\r\n`
  const { address } = extract(text).from
  const other = (await PostalMime.parse(text)).from
  console.log(`From: ${from} → letterparser ${address}, postal-mime`, other)
  strictEqual(address, seen)
}
JS
node check.mjs
echo 'unchanged: lists, groups and comments become part of the address'
