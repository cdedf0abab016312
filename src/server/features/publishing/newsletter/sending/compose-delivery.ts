import { LRUCache } from 'lru-cache'
import { createEmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import type { ListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { mailingContentSchema } from '#shared/contracts/publishing/newsletter.ts'
import { readerSchema } from '#shared/contracts/reader/reader.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { type Composed, createComposer } from '../compose/composer.ts'
import type { ClaimedDelivery } from './delivery.ts'
import type { FullMailing } from './mailing-row.ts'
import type { SendingDeps } from './sending-deps.ts'

/** Parsed reader preferences to cache. */
const readerCacheSize = 1_000

/** Composes the emails of one mailing from its frozen content and the delivery. */
export function createDeliveryComposer(
  { config, secrets, clock }: Pick<SendingDeps, 'config' | 'secrets' | 'clock'>,
  from: ListSender,
  { kind, tracked, content }: Pick<FullMailing, 'kind' | 'tracked' | 'content'>,
): (delivery: ClaimedDelivery) => Composed {
  const readers = new LRUCache<string, Reader>({ max: readerCacheSize })
  const compose = createComposer({
    content: mailingContentSchema.parse(content),
    from,
    publicUrl: config.publicUrl,
    links: createEmailLinks({ secrets, config }, { kind, tracked }),
    clock,
  })
  return ({ id, userId, email, name, reader: words, allowsTracking, changes }) => {
    const reader = readers.get(words) ?? readerSchema.parse(JSON.parse(words))
    readers.set(words, reader)
    return compose({ deliveryId: id, userId, email, name, reader, allowsTracking, changes })
  }
}
