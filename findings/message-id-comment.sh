#!/usr/bin/env bash
# mailparser 3.9.31 adds angle brackets to Message-ID and In-Reply-To that have them already.
#
# RFC 5322 allows a comment after the id of Message-ID, which mail servers use to say who added it, and in its obsolete
# syntax words before the id in In-Reply-To, as old mail programs wrote them. mailparser checks only the first and the last
# character of the field and adds what it misses, so that the result names no email: it isn't equal to the id in
# anyone's References, and a program that finds the thread by it doesn't.
#
# Seen on 2026-11-28, Node 24:
#   messageId  "<1@a.example> (added by postmaster@a.example)>"
#   inReplyTo  "<Your message of Friday <2@a.example>"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent mailparser@3.9.31
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { simpleParser } from 'mailparser'

const email = `From: a@a.example\r
Message-ID: <1@a.example> (added by postmaster@a.example)\r
In-Reply-To: Your message of Friday <2@a.example>\r
\r
Hello\r
`
const { messageId, inReplyTo } = await simpleParser(email)
console.log(JSON.stringify({ messageId, inReplyTo }))
strictEqual(messageId, '<1@a.example> (added by postmaster@a.example)>')
strictEqual(inReplyTo, '<Your message of Friday <2@a.example>')
JS
node check.mjs
echo 'unchanged: brackets are added beside a comment or words'
