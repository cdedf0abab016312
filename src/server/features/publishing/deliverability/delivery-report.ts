import { createHash } from 'node:crypto'
import { type BounceType, classifyBounce } from './classify-bounce.ts'

/** Authenticated sources. A report by email, in contrast, can be forged. */
const signedSources = ['generic', 'ses', 'postmark', 'mailgun'] as const
type MailboxSource = 'dsn' | 'arf'
/** Our own sender, for the email it was sending. */
type OwnSource = 'self'

/** A bounce or complaint about one email, in a common format for all providers. */
export type DeliveryReport = {
  source: (typeof signedSources)[number] | MailboxSource | OwnSource
  /** The provider’s id, or a hash of the report. Each id is recorded once. */
  externalId: string
  type: BounceType | 'complaint'
  /** From the delivery token; null if the report has none. */
  deliveryId: string | null
  /** Address in the report. If the delivery is known, its address is used instead. */
  email: string | null
  /** Subject of the email, to find the delivery if there is no token. */
  subject: string | null
  /** Response of the receiving server. */
  detail: string | null
  /** Null if the report has no time. */
  occurredAt: Date | null
}

export const isSigned = ({ source }: DeliveryReport) => signedSources.some((signed) => signed === source)

const maxLength = { externalId: 200, email: 320, detail: 500 }

/** Providers report refusals of our server as bounces of the address too, so the receiving server's words overrule them. */
const typeOf = ({ type, detail }: DeliveryReport): DeliveryReport['type'] =>
  type !== 'complaint' && detail && classifyBounce('', detail) === 'blocked' ? 'blocked' : type

/** Truncates texts to their columns’ limits and replaces missing or future times with now. */
export function normalizeReport(report: DeliveryReport, now: Date) {
  const { externalId, email, detail, occurredAt } = report
  const id = clean(externalId)
  return {
    ...report,
    type: typeOf(report),
    // Long ids are hashed to fit in an index entry.
    externalId: id.length > maxLength.externalId ? createHash('sha256').update(id).digest('hex') : id,
    email: email ? clean(email).trim().toLowerCase().slice(0, maxLength.email) : null,
    detail: detail ? clean(detail).replace(/\s+/g, ' ').trim().slice(0, maxLength.detail) : null,
    subject: report.subject ? clean(report.subject) : null,
    occurredAt: occurredAt && occurredAt < now ? occurredAt : now,
  }
}

export type NormalizedReport = ReturnType<typeof normalizeReport>

/** Removes characters that PostgreSQL text can’t store: NUL and lone surrogates. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
