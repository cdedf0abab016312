#!/usr/bin/env bash
# banknote 0.2.7 shows yen at a hundredth and dinars at ten times of their value.
#
# The README says that it follows CLDR. formatSubunitAmount takes the amount in the currency's smallest unit, and a yen, a won
# or a Chilean peso has none below it, while a Kuwaiti dinar has 1000 (ISO 4217; CLDR, currencyData). The library divides
# by 100 in every currency unless the option subunitsPerUnit says otherwise, and its data has no value for it. Rupees
# are grouped by thousands where CLDR (en-IN) has 12,34,567. Intl.NumberFormat knows both.
#
# Seen on 2026-11-30, Node 24:
#   1234 yen                    ¥12.34              Intl ¥1,234
#   1234 won                    ₩12.34              Intl ₩1,234
#   1234 fils                   KWD12.34            Intl KWD 1.234
#   123456700 paise, en-IN      ₹1,234,567.00       Intl ₹12,34,567.00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent banknote@0.2.7
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import banknote from 'banknote'

for (const [locale, currency, amount, seen, right] of [
  ['en-US', 'JPY', 1234, '¥12.34', '¥1,234'],
  ['en-US', 'KRW', 1234, '₩12.34', '₩1,234'],
  ['en-US', 'KWD', 1234, 'KWD12.34', 'KWD 1.234'],
  ['en-IN', 'INR', 123456700, '₹1,234,567.00', '₹12,34,567.00'],
]) {
  const formatter = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const other = formatter.format(amount / 10 ** formatter.resolvedOptions().maximumFractionDigits)
  const found = banknote.formatSubunitAmount(amount, banknote.formattingForLocale(locale, currency))
  console.log(locale, currency, amount, '→ banknote', found, 'Intl', other)
  strictEqual(found, seen)
  strictEqual(other.replaceAll('\u00a0', ' '), right)
}
JS
node check.mjs
echo 'unchanged: every currency has a hundred subunits, and rupees are grouped by thousands'
