import { expect, test } from 'vitest'
import { planKeys } from '#tests/support/default-plans.ts'
import { asPlanKey, checkoutPath, planOfPath } from './checkout-path.ts'

test('a checkout path contains its plan', () => {
  for (const key of planKeys) expect(planOfPath(checkoutPath(key))).toBe(key)
})

test('other paths and unknown plans have no plan', () => {
  for (const path of ['/portal', '/checkout', '/checkout/', '/checkout/gold', '/checkout/toString', '//checkout/x'])
    expect(planOfPath(path)).toBeNull()
  for (const value of [undefined, null, 7, 'gold', ['pro_monthly']]) expect(asPlanKey(value)).toBeNull()
})
