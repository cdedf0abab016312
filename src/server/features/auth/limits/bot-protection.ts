import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import type { Config } from '#server/config/config.ts'
import { honeypotField } from '#shared/domain/bot-protection.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { UserData } from '../users/user-data.ts'
import { requireProofOfWork } from './proof-of-work.ts'

type DefenceDeps = Pick<AuthDeps, 'config' | 'database' | 'secrets' | 'clock'>
type SignUpAttempt = {
  /** As it is stored; null for somebody who gives none. */
  email: string | null
  data: UserData
  gotrue_meta_security?: { captcha_token?: string | null } | null
}

/**
 * Keeps programs and throw-away addresses from signing up, without a third party and without asking the network.
 * @returns the data without the form's trap, and whether somebody fell into it: they get an answer that looks well and
 * nothing happens
 * @throws AppError email_address_invalid, email_address_not_authorized, captcha_failed
 */
export async function requireAcceptableSignUp(
  deps: DefenceDeps,
  attempt: SignUpAttempt,
): Promise<{ data: UserData; isBot: boolean }> {
  const { [honeypotField]: bait, ...data } = attempt.data
  if (attempt.email !== null) requireAcceptableEmail(deps.config, attempt.email)
  await requireProofOfWork(deps, attempt)
  return { data, isBot: bait !== undefined && bait !== null && bait !== '' }
}

/** Set aside for good (RFC 2606, RFC 6761, RFC 7686): no mail ever arrives there. `test` and `example` are for rehearsals. */
const unreachable = new Set(['invalid', 'localhost', 'onion', 'arpa'])

/** @throws AppError email_address_invalid, email_address_not_authorized */
export function requireAcceptableEmail(config: Config, email: string): void {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.')
  if (unreachable.has(labels.at(-1) ?? '')) throw new AppError('email_address_invalid')
  if (config.auth.botProtection.refuseDisposableAddresses && isDisposable(labels)) {
    throw new AppError('email_address_not_authorized')
  }
}

let disposable: ReadonlySet<string> | undefined

/** Providers of throw-away addresses hand out subdomains as well. */
function isDisposable(labels: readonly string[]): boolean {
  disposable ??= disposableEmailBlocklistSet()
  for (let from = 0; from < labels.length - 1; from += 1) {
    if (disposable.has(labels.slice(from).join('.'))) return true
  }
  return false
}
