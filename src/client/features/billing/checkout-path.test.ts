import { expect, test } from 'vitest'
import { planKeys } from '#shared/domain/plans.ts'
import { asPlanKey, checkoutPath, planOfPath } from './checkout-path.ts'

test('the way to a checkout names its plan', () => {
  for (const key of planKeys) expect(planOfPath(checkoutPath(key))).toBe(key)
})

test('any other way, and a plan that is not sold, name none', () => {
  for (const path of ['/portal', '/checkout', '/checkout/', '/checkout/gold', '/checkout/toString', '//checkout/x'])
    expect(planOfPath(path)).toBeNull()
  for (const value of [undefined, null, 7, 'gold', ['pro_monthly']]) expect(asPlanKey(value)).toBeNull()
})
