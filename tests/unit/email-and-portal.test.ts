import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { orderSections } from '#client/features/library/issues/order-sections.ts'
import { createComposer, previewFor } from '#server/features/publishing/mailings/compose/composer.ts'
import { issueSectionSchema } from '#shared/contracts/library/issues.ts'
import type { EmailSection } from '#shared/contracts/publishing/newsletter.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'
import {
  buildContent,
  buildRecipient,
  buildSection,
  emailConfig,
  listSender,
  readableLinks,
  toMimeMessage,
} from '#tests/support/newsletter-email.ts'

const wordsOf = <const Word extends string>(words: readonly Word[]) => fc.subarray([...words])
const readers: fc.Arbitrary<Reader> = fc.record({
  focusAreas: wordsOf(focusAreas),
  aiLevel: fc.constantFrom(null, ...aiLevels),
  goals: wordsOf(goals),
  franchiseType: fc.constantFrom(null, ...franchiseTypes),
})
const drops: fc.Arbitrary<EmailSection[]> = fc
  .array(
    fc.record({
      focusAreas: wordsOf(focusAreas),
      aiLevel: fc.constantFrom(...aiLevels),
      goals: wordsOf(goals),
      franchiseTypes: wordsOf(franchiseTypes),
      minutes: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drop) => drop.map((section, index) => buildSection({ ...section, heading: `Item ${index + 1}` })))

const headings = (part: string, pattern: RegExp) => [...part.matchAll(pattern)].map(([, number]) => `Item ${number}`)

test('a received email has the sections in the order and with the reason that the portal shows', async () => {
  await fc.assert(
    fc.asyncProperty(drops, readers, async (sections, reader) => {
      const content = buildContent({ sections })
      const options = { content, from: listSender, config: emailConfig, links: readableLinks }
      const to = buildRecipient({ reader })
      const { html = '', text = '' } = await PostalMime.parse(toMimeMessage(createComposer(options)(to)))

      const portal = orderSections(
        sections.map((section) =>
          issueSectionSchema.parse({ ...section, id: section.heading, html: '', examplesHtml: {}, touches: [] }),
        ),
        reader,
      )
      const expected = portal.map(({ heading }) => heading)
      expect(headings(html, /<h2[^>]*>Item (\d+)/g)).toEqual(expected)
      expect(headings(text, /^ITEM (\d+)$/gm)).toEqual(expected)
      const reason = portal[0]?.reason ?? null
      expect(/Up front[^<\n]*/.exec(html)?.[0] ?? null).toBe(reason?.replaceAll('&', '&#38;') ?? null)

      const preview = await previewFor(options, to)
      expect(preview.order.map((index) => sections[index]?.heading)).toEqual(expected)
      expect(preview.reason).toBe(reason)
      expect(preview.html).toBe(html)
    }),
    { numRuns: 60 },
  )
})
