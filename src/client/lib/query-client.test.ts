import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

test('what is clicked while offline fails at once instead of happening later', async () => {
  onlineManager.setOnline(false)
  const click = new MutationObserver(queryClient, { mutationFn: () => Promise.reject(new Error('no network')) })
  await expect(click.mutate()).rejects.toThrow('no network')
}, 2_000)
