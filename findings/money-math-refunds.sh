#!/usr/bin/env bash
# money-math 2.6.3 rounds negative amounts to a wrong cent, up to two cents off, and writes pounds in the form of euros.
#
# Its amounts may be negative ("-42.10" in the README), and results are rounded to the whole cent. The remainder is
# cut from the text of a negative number and the cent is added instead of taken away: 8 % of -19.99 is -1.60, and the
# library says -1.58. The tax of a refund isn't the tax of the sale. roundUpTo5Cents("-1.02") is -0.99, which isn't
# a multiple of five cents. In GBP, format writes "1.234,50", the form of EUR; in English that's 1,234.50 (CLDR, en-GB).
#
# Seen on 2026-11-30, Node 24:
#   mul 19.99 × 0.08        1.60      -19.99 × 0.08       -1.58
#   div 10.00 ÷ 6.00        1.67      -10.00 ÷ 6.00       -1.65
#   percent 8.25 of 19.99   1.65      8.25 of -19.99      -1.64
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent money-math@2.6.3
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import money from 'money-math'

for (const [name, amount, other, positive, negative] of [
  ['mul', '19.99', '0.08', '1.60', '-1.58'],
  ['div', '10.00', '6.00', '1.67', '-1.65'],
  ['percent', '19.99', '8.25', '1.65', '-1.64'],
]) {
  const found = [money[name](amount, other), money[name](`-${amount}`, other)]
  console.log(name, amount, other, found)
  strictEqual(found[0], positive)
  strictEqual(found[1], negative)
}
strictEqual(money.roundUpTo5Cents('-1.02'), '-0.99')
strictEqual(money.format('GBP', '1234.50'), '1.234,50')
strictEqual(money.format('USD', '1234.50'), '1,234.50')
JS
node check.mjs
echo 'unchanged: negative amounts are rounded to a wrong cent, and pounds look like euros'
