import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { staffRoleQuery } from '../auth/role.api.ts'
import { refreshStaff } from './staff.api.ts'

test('A role that was read before joining the staff is read again before the admin opens', async () => {
  const queryClient = new QueryClient()
  const { queryKey } = staffRoleQuery('user')
  const answers = [null, 'editor'] as const
  let reads = 0
  await queryClient.fetchQuery({ queryKey, queryFn: () => answers[reads++] ?? null })
  await refreshStaff(queryClient)
  expect(queryClient.getQueryData(queryKey)).toBe('editor')
})
