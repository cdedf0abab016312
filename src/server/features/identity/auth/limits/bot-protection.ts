import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import type { Config } from '#server/config/config.ts'
import { honeypotField } from '#shared/domain/bot-protection.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { UserData } from '../users/user-metadata.ts'
import { requireProofOfWork } from './proof-of-work.ts'

type DefenceDeps = Pick<AuthDeps, 'config' | 'database' | 'secrets' | 'clock'>
type SignUpAttempt = {
  /** Normalized; null for an anonymous sign-up. */
  email: string | null
  data: UserData
  gotrue_meta_security?: { captcha_token?: string | null } | null
}

/**
 * Rejects bots and disposable addresses, without a third party or network access.
 * @returns the metadata without the honeypot field, and whether it was filled in; bots then get a fake success
 * @throws AppError email_address_invalid, email_address_not_authorized, captcha_failed
 */
export async function requireAcceptableSignUp(
  deps: DefenceDeps,
  attempt: SignUpAttempt,
): Promise<{ data: UserData; isBot: boolean }> {
  const { [honeypotField]: honeypot, ...data } = attempt.data
  if (attempt.email !== null) requireAcceptableEmail(deps.config, attempt.email)
  await requireProofOfWork(deps, attempt)
  return { data, isBot: honeypot !== undefined && honeypot !== null && honeypot !== '' }
}

/** Reserved top-level domains without email (RFC 2606, 6761, 7686). `test` and `example` are allowed, for testing. */
const reservedDomains = new Set(['invalid', 'localhost', 'onion', 'arpa'])

/** @throws AppError email_address_invalid, email_address_not_authorized */
export function requireAcceptableEmail(config: Config, email: string): void {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.')
  if (reservedDomains.has(labels.at(-1) ?? '')) throw new AppError('email_address_invalid')
  if (config.auth.botProtection.refuseDisposableAddresses && isDisposable(labels)) {
    throw new AppError('email_address_not_authorized')
  }
}

let disposable: ReadonlySet<string> | undefined

/** Includes subdomains of disposable providers. */
function isDisposable(labels: readonly string[]): boolean {
  disposable ??= disposableEmailBlocklistSet()
  for (let from = 0; from < labels.length - 1; from += 1) {
    if (disposable.has(labels.slice(from).join('.'))) return true
  }
  return false
}
