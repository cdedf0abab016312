import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { complimentaryAccess, gift, giftLinkUse } from '#server/db/schema/index.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { openBilling } from '#tests/integration/billing/support.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createGifts } from './support.ts'

const billing = openForTests(async () => openBilling())
let gifts: ReturnType<typeof createGifts>
beforeAll(async () => {
  gifts = createGifts(billing)
  await gifts.save()
  // A day that every month has, so that months add up in any order.
  billing.server.clock.now = new Date('2027-03-15T12:00:00Z')
})

const linkMonths = 3

async function makeLink(maxUses: number) {
  const terms = {
    requestId: crypto.randomUUID(),
    note: 'Fair',
    months: linkMonths,
    maxUses,
    lastDay: gifts.dayAfter(9),
  }
  const { body } = await billing.call('admin-create-gift-link', terms, await gifts.owner())
  return { id: String(body.id), token: gifts.tokenIn(String(body.link)) }
}

/** Who claims what, on which node. The last `what` is the link. */
const claim = fc.record({ who: fc.nat(2), what: fc.nat(2), node: fc.constantFrom(0, 1) })

test('two nodes and many tabs give each gift to one person, and each person exactly what they claimed', async () => {
  const { url } = billing.server.database
  const second = url ? await openPostgres(url) : null
  const other = createApp({ ...billing.deps, database: second ?? { ...billing.deps.database } })
  const apps = [billing.server.app, other]
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(claim, { minLength: 4, maxLength: 12 }), async (claims) => {
        const people = [await billing.user(), await billing.user(), await billing.user()]
        const bought = [await gifts.buy(), await gifts.buy()]
        const link = await makeLink(2)
        const tokens = bought.map(({ recipientEmail }) => gifts.claimTokenOf(recipientEmail))
        const answers = await Promise.all(
          claims.map(({ who, what, node }) => {
            const app = apps[node] ?? other
            const token = people[who]?.token
            if (what === 2) return call({ app }, 'use-gift-link', { token: link.token }, token)
            return call({ app }, 'claim-gift', { token: tokens[what], accept: null }, token)
          }),
        )
        expect(answers.every(({ status }) => status < 500)).toBe(true)
        const rows = await billing.db.select().from(gift)
        const uses = await billing.db.select().from(giftLinkUse).where(eq(giftLinkUse.linkId, link.id))
        expect(uses.length).toBe(
          Math.min(2, new Set(claims.filter(({ what }) => what === 2).map(({ who }) => who)).size),
        )
        for (const [who, { id }] of people.entries()) {
          const own = rows.filter(({ claimedBy }) => claimedBy === id)
          const months = 12 * own.length + linkMonths * uses.filter(({ userId }) => userId === id).length
          const [access] = await billing.db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, id))
          expect(access?.until ?? null).toEqual(months === 0 ? null : addMonths(billing.server.clock.now, months))
          // Everyone who was told that it worked has it.
          const told = new Set(
            claims.filter((one, n) => one.who === who && answers[n]?.status === 200).map((one) => one.what),
          )
          const has = [...tokens.keys()].filter((n) => own.some((row) => row.id === bought[n]?.id))
          const usedLink = uses.some(({ userId }) => userId === id) ? [2] : []
          expect([...told].toSorted()).toEqual([...has, ...usedLink])
        }
        const claimed = new Set(claims.map(({ what }) => what).filter((what) => what < 2))
        expect(rows.filter(({ id, claimedBy }) => claimedBy && bought.some((one) => one.id === id))).toHaveLength(
          claimed.size,
        )
      }),
      { numRuns: caseCount(3, 25, 'GIFT_CLAIMS') },
    )
  } finally {
    await second?.close()
  }
})
