import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { chooseSubscription, splitDuplicates } from './choose-subscription.ts'

type Status = Stripe.Subscription['status']
const made = (name: string, status: Status, created: number) => ({ name, status, created })

test('prefers live to waiting to ended subscriptions, newest first within each group', () => {
  const ended = made('ended', 'canceled', 900)
  const waiting = made('waiting', 'unpaid', 500)
  const live = made('live', 'past_due', 100)
  expect(chooseSubscription([])).toBeNull()
  expect(chooseSubscription([ended, waiting, live])).toBe(live)
  expect(chooseSubscription([ended, waiting])).toBe(waiting)
  expect(chooseSubscription([made('older', 'canceled', 800), ended])).toBe(ended)
})

test('keeps the oldest live subscription, even if two were created in the same second', () => {
  const [newest, twin, oldest] = [made('c', 'active', 20), made('b', 'trialing', 10), made('a', 'past_due', 10)]
  expect(splitDuplicates([newest, twin, oldest, made('gone', 'canceled', 1)])).toEqual({
    kept: oldest,
    duplicates: [twin, newest],
  })
  expect(splitDuplicates([made('gone', 'canceled', 1)])).toEqual({ kept: null, duplicates: [] })
})
