const gmail = 'gmail.com'
/** Domains that deliver to the same mailbox. */
const aliases: Readonly<Record<string, string>> = { 'googlemail.com': gmail }

/**
 * The mailbox behind an address, for comparing addresses: lower case, without a "+" suffix and, for Gmail, without dots
 * and with one domain. Never send email to it.
 */
export function normalizeMailbox(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  if (at < 1) return address
  const domain = aliases[address.slice(at + 1)] ?? address.slice(at + 1)
  const tag = address.indexOf('+')
  // A local part that starts with + has nothing before the suffix.
  const name = address.slice(0, tag > 0 && tag < at ? tag : at)
  return `${(domain === gmail && name.replaceAll('.', '')) || name}@${domain}`
}
