#!/usr/bin/env bash
# Parsers of MT940 statements cut references at a slash and date December entries a year late; mt940-js takes reversals for
# what they reverse.
#
# Field 61 is 6!n[4!n]2a[1!a]15d1!a3!c16x[//16x] (SWIFT, MT 940): a slash is one of the characters "x", and only two of
# them begin the bank's reference, which has up to 16. The entry date has no year, so Dec 31 with the value date Jan 2 lies
# in the year before. RC is the reversal of a credit, so money leaves. mt940js 1.3.5 and @centrapay/swift-parser 1.0.1 cut
# "INV/7//B1" to "INV" and lose the bank's reference; mt940-js 1.0.0 does too, and reads bank references of 16 characters
# only. For it RC is a credit like C. An invoice whose number has a slash isn't found among the payments.
#
# Seen on 2026-11-30, Node 24:
#   :61:2611021102C9,50NTRFINV/7//B1    reference INV, no bank reference
#   :61:2701021231C9,50NTRFINV7         value date 2027-01-02, entry date 2027-12-31
#   :61:2611021102RC9,50NTRFINV7        mt940-js: isCredit true, 9.5; the others -9.5
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent mt940js@1.3.5 @centrapay/swift-parser@1.0.1 mt940-js@1.0.0 tslib@2.8.1
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import { parse } from '@centrapay/swift-parser'
import { read } from 'mt940-js'
import mt940js from 'mt940js'

const day = (date) => new Date(date).toISOString().slice(0, 10)
for (const [line, closing, seen] of [
  ['2611021102C9,50NTRFINV7//B1', 'C261130EUR109,50', ['INV7', 'B1', 9.5, '2026-11-02']],
  ['2611021102C9,50NTRFINV/7//B1', 'C261130EUR109,50', ['INV', '', 9.5, '2026-11-02']],
  ['2701021231C9,50NTRFINV7', 'C261231EUR109,50', ['INV7', '', 9.5, '2027-12-31']],
  ['2611021102RC9,50NTRFINV7', 'C261130EUR90,50', ['INV7', '', -9.5, '2026-11-02']],
]) {
  const lines = [':20:S1', ':25:NL39RABO0300065264', ':28C:1/1', ':60F:C261101EUR100,00', `:61:${line}`, ':86:Dues', `:62F:${closing}`, '-']
  const text = lines.join('\r\n')
  const [first] = new mt940js.Parser().parse(text)[0].transactions
  const [second] = parse({ type: 'mt940', data: text })[0].transactions
  const [third] = (await read(Buffer.from(text)))[0].transactions
  for (const found of [first, second]) {
    deepStrictEqual([found.reference, found.bankReference, Number(found.amount), day(found.entryDate)], seen)
  }
  console.log(line, '→', seen, 'mt940-js', [third.customerReference, third.bankReference, third.isCredit, third.amount, third.entryDate])
  deepStrictEqual([third.customerReference, third.bankReference, third.isCredit, third.amount, third.entryDate], [seen[0], '', true, 9.5, seen[3]])
}
JS
node check.mjs
echo 'unchanged: references end at a slash, December entries are in the next year, a reversed credit is a credit'
