import { z } from 'zod'

/**
 * Normal form of an email address for storage, comparison and sending: lower case, with an internationalized domain in
 * ASCII (`ana@xn--bcher-kva.example`), as email servers expect it.
 */
export function normalizeEmail(given: string): string {
  const email = given.trim().toLowerCase()
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const isInternational =
    at > 0 && /[^\0-\x7f]/.test(domain) && /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u.test(domain)
  if (!isInternational || !URL.canParse(`http://${domain}`)) return email
  return `${email.slice(0, at)}@${new URL(`http://${domain}`).hostname}`
}

/** Maximum length in SMTP. */
export const maxEmailLength = 254

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/**
 * True for each normalized address that email can be sent to: what SMTP allows without quotes and without SMTPUTF8, at a
 * domain with a dot. Sign-up, imports and the sender share this rule.
 */
export function isEmailAddress(email: string): boolean {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  return (
    email.length <= maxEmailLength &&
    local.length <= 64 &&
    localPart.test(local) &&
    domainName.test(email.slice(at + 1))
  )
}

export const emailSchema = z.string().transform(normalizeEmail).refine(isEmailAddress, 'Enter a valid email address')
