import type { FreeSource } from '#server/db/schema/index.ts'
import type { DeliveryCause, DeliveryStatus } from '#shared/contracts/publishing/newsletter.ts'

/** A delivery that this process has claimed. */
export type ClaimedDelivery = {
  id: string
  userId: string
  email: string
  name: string | null
  /** The reader's preferences as JSON, frozen at preparation. */
  reader: string
  /** 0 for the mailing's own subject, otherwise one of the content's `otherSubjects`. */
  subjectIndex: number
  allowsTracking: boolean
  /** True if the reader has access now. Without it, they get the free edition of an issue. */
  hasAccess: boolean
  /** Who began the free edition; null for the reader. */
  freeSource: FreeSource | null
  /** Keys of the content's `changes` that the reader is told. */
  changes: readonly string[]
  /** Values of the publisher's fields as JSON, by field id; null without one. */
  fieldValues: string | null
  /** Including this one. */
  attempts: number
  /** Id of the sender at the time of the claim. */
  senderId: string
}

/** The outcome of a delivery attempt. */
export type DeliveryResult = {
  id: string
  senderId: string
  status: Extract<DeliveryStatus, 'submitted' | 'failed' | 'unknown' | 'pending'>
  cause: DeliveryCause | null
  response: string | null
  /** The attempt doesn't count: the message was never handed over, for reasons unrelated to the recipient. */
  untried: boolean
  nextAttemptAt: Date | null
}
