import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, openBilling, payAtCheckout } from './support.ts'

const billing = openForTests(() => openBilling())

const texts = ['a null \u0000 in it', 'half \ud83d of a character']
const refused = { status: 400, body: { code: 'validation_failed' } }

test.each(texts)(
  'a note about complimentary access that can’t be stored is refused, and nothing is granted: %j',
  async (note) => {
    const admin = await billing.user({ admin: true })
    const reader = await billing.user()
    const until = new Date(billing.server.clock.now.getTime() + dayMs).toISOString()
    const answer = await billing.call('admin-grant-access', { userId: reader.id, until, note }, admin)
    expect(answer).toMatchObject(refused)
    expect(await billing.check(reader)).toMatchObject({ subscribed: false })
  },
)

test.each(texts)(
  'a cancellation comment that cannot be stored is refused, and the plan stays active: %j',
  async (comment) => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    await billing.check(user, { refresh: true })
    const leaving = { reason: 'other', comment, requestId: randomUUID() }
    expect(await billing.call('cancel-plan', leaving, user)).toMatchObject(refused)
    expect((await billing.call('billing-overview', {}, user)).body).toMatchObject({ status: 'active' })
  },
)
