import { createHash } from 'node:crypto'

/** Sources whose word counts by itself, as it is signed; a mail that says it is a report may come from anybody. */
const signedSources = ['generic', 'ses', 'postmark', 'mailgun'] as const
type MailboxSource = 'dsn' | 'arf'
/** Our own sender, about a mail that it had in hand. */
type OwnSource = 'self'

/** One thing that somebody told us about one mail, whatever form it came in. */
export type DeliveryReport = {
  source: (typeof signedSources)[number] | MailboxSource | OwnSource
  /** The provider's id of the report, or a hash of it: each is taken once. */
  externalId: string
  type: 'hard_bounce' | 'soft_bounce' | 'complaint'
  /** Found by a mark that we made; null when the report brings none. */
  deliveryId: string | null
  /** The address that the report names. Where the delivery is known, its own address counts. */
  email: string | null
  /** Of the mail that it is about: tells which mailing it was when there is no mark. */
  subject: string | null
  /** What the receiving server said. */
  detail: string | null
  /** Null when the report does not say. */
  occurredAt: Date | null
}

export const isSigned = ({ source }: DeliveryReport) => signedSources.some((signed) => signed === source)

const maxLength = { externalId: 200, email: 320, detail: 500 }

/** As the database can hold it. What says it happens in the future happened now. */
export function normalizeReport(report: DeliveryReport, now: Date) {
  const { externalId, email, detail, occurredAt } = report
  const id = clean(externalId)
  return {
    ...report,
    // Too long to be an index entry: its hash tells two apart as well.
    externalId: id.length > maxLength.externalId ? createHash('sha256').update(id).digest('hex') : id,
    email: email ? clean(email).trim().toLowerCase().slice(0, maxLength.email) : null,
    detail: detail ? clean(detail).replace(/\s+/g, ' ').trim().slice(0, maxLength.detail) : null,
    subject: report.subject ? clean(report.subject) : null,
    occurredAt: occurredAt && occurredAt < now ? occurredAt : now,
  }
}

export type NormalizedReport = ReturnType<typeof normalizeReport>

/** No text in the database can hold a null character, or half of a pair. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
