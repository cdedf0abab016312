import type { DeliveryCause, DeliveryStatus } from '#shared/contracts/newsletter.ts'

/** A delivery that this process has marked as under way. */
export type ClaimedDelivery = {
  id: string
  userId: string
  email: string
  name: string | null
  /** The reader's words, as they were frozen. */
  reader: string
  allowsTracking: boolean
  /** This one included. */
  attempts: number
  /** The name that the sender had when it claimed. */
  senderId: string
}

/** How a delivery ended, or that it is to be tried again. */
export type DeliveryResult = {
  id: string
  senderId: string
  status: Extract<DeliveryStatus, 'submitted' | 'failed' | 'unknown' | 'pending'>
  cause: DeliveryCause | null
  response: string | null
  /** The try does not count: the message was not handed over, and not because of the reader. */
  untried: boolean
  nextAttemptAt: Date | null
}
