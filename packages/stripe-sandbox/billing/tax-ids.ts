/** The formats that are checked. Any other type takes a number of usual length. */
const formats: { [type: string]: RegExp } = {
  au_abn: /^\d{9}(\d\d)?$/,
  ca_bn: /^\d{9}$/,
  ch_vat: /^CHE-?\d{3}\.?\d{3}\.?\d{3}( ?(MWST|TVA|IVA))?$/,
  eu_vat:
    /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|SE|SI|SK|XI)[0-9A-Z]{8,12}$|^RO\d{2,10}$/,
  gb_vat: /^(GB)?\d{9}(\d{3})?$/,
  us_ein: /^\d\d-?\d{7}$/,
}
const anyNumber = /^(?=.*\d)[0-9A-Z][0-9A-Z ./-]{3,29}$/

export const isTaxId = (type: string, value: string): boolean => (formats[type] ?? anyNumber).test(value)

/** Types that Stripe looks up in a register, which takes a few seconds. */
export const isLookedUp = (type: string): boolean => ['au_abn', 'eu_vat', 'gb_vat'].includes(type)
export const lookUpSeconds = 2

/** The register's answer, after Stripe's test numbers; null for none. */
export function registerAnswer(value: string): 'verified' | 'unverified' | null {
  if (value.endsWith('222222222')) return null
  return value.endsWith('111111111') ? 'unverified' : 'verified'
}
