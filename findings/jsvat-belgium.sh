#!/usr/bin/env bash
# jsvat 2.5.4 rejects Belgian VAT numbers that begin with 1.
#
# Belgium's enterprise numbers, which are the VAT numbers, have ten digits and begin with 0 or 1; those with 1 are given to
# new companies since 2023, when the others ran out (Crossroads Bank for Enterprises; VIES, question 11 of its FAQ). The last two
# digits are 97 minus the rest of the first eight divided by 97. jsvat says that such a number doesn't even have the
# format, so a company founded now can't enter it. jsvat-next 3.0.4 and stdnum 1.12.0 accept it.
#
# Seen on 2026-11-30, Node 24:
#   BE0776091951    isValid true
#   BE1000000120    isValid false, isValidFormat false
#   BE1012345646    isValid false, isValidFormat false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent jsvat@2.5.4 jsvat-next@3.0.4 stdnum@1.12.0
cat >check.mjs <<'JS'
import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import jsvat from 'jsvat'
import next from 'jsvat-next'
import { stdnum } from 'stdnum'

for (const [digits, seen] of [
  ['07760919', true],
  ['10000001', false],
  ['10123456', false],
]) {
  const number = `BE${digits}${String(97 - (Number(digits) % 97)).padStart(2, '0')}`
  const { isValid, isValidFormat } = jsvat.checkVAT(number, [jsvat.belgium])
  console.log(number, { isValid, isValidFormat })
  deepStrictEqual({ isValid, isValidFormat }, { isValid: seen, isValidFormat: seen })
  strictEqual(next.checkVAT(number, [next.belgium]).isValid, true)
  ok(stdnum.BE.vat.validate(number).isValid)
}
JS
node check.mjs
echo 'unchanged: Belgian numbers that begin with 1 are rejected'
