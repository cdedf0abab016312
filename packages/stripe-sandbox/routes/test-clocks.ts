import { missing } from '../http/errors.ts'
import { list, type PageParams } from '../http/lists.ts'
import { route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { clearedBy } from '../objects/metadata.ts'
import { attachToClock, createClock, deleteClock, startAdvancing } from '../objects/test-clocks.ts'
import type { Tx } from '../tx.ts'
import type { TestClock } from '../types.ts'

function requireClock(tx: Tx, id: string): TestClock {
  const clock = tx.store.find<TestClock>('test_helpers.test_clock', id)
  if (!clock) throw missing('test clock', id)
  return clock
}

const base = '/v1/test_helpers/test_clocks'

export const testClockRoutes = [
  route<{ frozen_time: number; name?: string; customer?: string }>(
    'POST',
    base,
    'post_test_helpers_test_clocks',
    'frozen_time name customer',
    ({ tx, params }) => {
      const clock = createClock(tx, params.frozen_time, clearedBy(params.name, null))
      if (params.customer !== undefined) attachToClock(tx, requireCustomer(tx, params.customer, 'customer'), clock)
      return clock
    },
  ),
  route('GET', `${base}/:id`, 'retrieve', '', ({ tx, id }) => requireClock(tx, id)),
  route<PageParams>('GET', base, 'get_test_clocks', '', ({ tx, params }) =>
    list(tx, { params, type: 'test_helpers.test_clock', url: base }),
  ),
  route<{ frozen_time: number }>(
    'POST',
    `${base}/:id/advance`,
    'post_test_helpers_test_clocks_id_advance',
    'frozen_time',
    ({ tx, params, id }) => startAdvancing(tx, requireClock(tx, id), params.frozen_time),
  ),
  route('DELETE', `${base}/:id`, 'none', '', ({ tx, id }) => {
    deleteClock(tx, requireClock(tx, id))
    return { id, object: 'test_helpers.test_clock', deleted: true }
  }),
]
