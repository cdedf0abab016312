#!/usr/bin/env bash
# robots-txt-guard 1.0.2, with robots-txt-parse 2.0.1, honors the first of several groups for a crawler, and forbids a home
# page that is allowed.
#
# Groups that name the same crawler are combined (RFC 9309, 2.2.1); the guard reads the first and allows what the others
# forbid. "$" ends a path (2.2.3), and "Allow: /$" beside "Disallow: /" is the usual way to show the home page alone: the
# guard forbids it. Lines may end with CR (2.2), and the parser makes one crawler's name of such a file, so that everything is
# allowed. robots-parser 3.0.1 follows the RFC.
#
# Seen on 2026-11-30, Node 24:
#   User-agent: a, Disallow: /x; User-agent: a, Disallow: /y     /y allowed       robots-parser forbidden
#   User-agent: *, Disallow: /, Allow: /$                        / forbidden      robots-parser allowed
#   lines that end with CR, Disallow: /x                         /x allowed       robots-parser forbidden
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent robots-txt-guard@1.0.2 robots-txt-parse@2.0.1 robots-parser@3.0.1
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { Readable } from 'node:stream'
import robotsParser from 'robots-parser'
import guard from 'robots-txt-guard'
import parse from 'robots-txt-parse'

for (const [text, path, seen] of [
  ['User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n', '/x', false],
  ['User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n', '/y', true],
  ['User-agent: *\nDisallow: /\nAllow: /$\n', '/', false],
  ['User-agent: *\rDisallow: /x\r', '/x', true],
]) {
  const found = guard(await parse(Readable.from([text]))).isAllowed('a', path)
  const other = robotsParser('https://a.example/robots.txt', text).isAllowed(`https://a.example${path}`, 'a')
  console.log(JSON.stringify(text), path, { guard: found, 'robots-parser': other })
  strictEqual(found, seen)
  strictEqual(other, path === '/')
}
JS
node check.mjs
echo 'unchanged: further groups are overlooked, and "/$" matches nothing'
