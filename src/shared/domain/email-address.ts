/**
 * Normal form of an email address for storage, comparison and sending: lower case, with an internationalized domain in
 * ASCII (`ana@xn--bcher-kva.example`), as email servers expect it.
 */
export function normalizeEmail(given: string): string {
  const email = given.trim().toLowerCase()
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const isInternational = at > 0 && /[^\0-\x7f]/.test(domain) && /^[\p{L}\p{M}\p{N}.\-\u3002]+$/u.test(domain)
  if (!isInternational || !URL.canParse(`http://${domain}`)) return email
  return `${email.slice(0, at)}@${new URL(`http://${domain}`).hostname}`
}
