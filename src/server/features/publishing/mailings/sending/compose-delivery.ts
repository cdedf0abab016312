import { LRUCache } from 'lru-cache'
import type { FreeSource } from '#server/db/schema/index.ts'
import { createEmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import type { ListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import {
  type DeliveryCause,
  type DeliveryStatus,
  type MailingContent,
  mailingContentSchema,
} from '#shared/contracts/publishing/newsletter.ts'
import { parseReader } from '#shared/contracts/reader/reader.ts'
import { type CustomField, fieldTexts } from '#shared/domain/custom-fields.ts'
import { findMergeFields, mergeFieldOf } from '#shared/domain/merge-fields.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { type Compose, type Composed, createComposer } from '../compose/composer.ts'
import { freeEditionOf } from '../compose/free-edition.ts'
import type { FullMailing, SendingDeps } from './mailing-row.ts'

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

/** Parsed reader preferences to cache. */
const readerCacheSize = 1_000

/** Composes the emails of one mailing from its frozen content and the delivery. */
export function createDeliveryComposer(
  { config, secrets, clock }: Pick<SendingDeps, 'config' | 'secrets' | 'clock'>,
  from: ListSender,
  { kind, tracked, content, audience }: Pick<FullMailing, 'kind' | 'tracked' | 'content' | 'audience'>,
  customFields: readonly CustomField[],
): (delivery: ClaimedDelivery) => Composed {
  const readers = new LRUCache<string, Reader>({ max: readerCacheSize })
  const parsed = mailingContentSchema.parse(content)
  const links = createEmailLinks({ secrets, config }, { kind, tracked, newsletterId: audience.newsletterId })
  const composerOf = (edition: MailingContent) => createComposer({ content: edition, from, config, links, clock })
  const subjects = [parsed.subject, ...(parsed.otherSubjects ?? [])]
  const withSubject = (index: number) => ({ ...parsed, subject: subjects[index] ?? parsed.subject })
  const whole = new Map<number, Compose>()
  const free = new Map<number, Compose>()
  // At once, so that a text that can't be rendered pauses the mailing.
  whole.set(0, composerOf(parsed))
  function composerFor(subject: number, isFree: boolean): Compose {
    const composers = isFree ? free : whole
    const known = composers.get(subject)
    if (known) return known
    const edition = withSubject(subject)
    const composer = composerOf(isFree ? freeEditionOf(edition) : edition)
    composers.set(subject, composer)
    return composer
  }
  const usesFields = findMergeFields(JSON.stringify(parsed)).some(({ name }) => name.startsWith(mergeFieldOf('')))
  const fieldsOf = (values: string | null) =>
    usesFields && values !== null ? { fields: fieldTexts(customFields, JSON.parse(values)) } : {}
  return ({ id, reader: words, subjectIndex, hasAccess, changes, fieldValues, ...to }) => {
    const reader = readers.get(words) ?? parseReader(config.settings.publication, JSON.parse(words))
    readers.set(words, reader)
    const isFree = kind === 'issue' && !hasAccess
    return composerFor(
      subjectIndex,
      isFree,
    )({ ...to, deliveryId: id, reader, ...(!isFree && { changes }), ...fieldsOf(fieldValues) })
  }
}
