import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { alwaysStaleQuery, invoke, pagedQuery } from '#client/lib/calls.ts'
import { useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import { CallError } from '#client/lib/error-message.ts'
import {
  adminMailingCall,
  adminMailingsCall,
  adminSaveMailingCall,
  adminSendMailingCall,
  type Mailing,
} from '#shared/contracts/publishing/mailings.ts'
import type { MailingStatus } from '#shared/contracts/publishing/newsletter.ts'
import { checksKey } from './email-preview.api.ts'

const pageSize = 20
/** Refetch interval by status, in milliseconds. Background pages don't refetch. */
const refetchIntervals: Partial<Record<MailingStatus, number>> = { scheduled: 15_000, preparing: 1_000, sending: 1_000 }

/** Refetch interval while a mailing waits for a limit. */
const waitingIntervalMs = 5_000

function refetchIntervalOf({ status, scheduledAt: at, estimate }: Mailing): number | false {
  if (estimate?.waitsFor) return waitingIntervalMs
  const isDue = status === 'scheduled' && at !== null && Date.parse(at) <= Date.now()
  return refetchIntervals[isDue ? 'preparing' : status] ?? false
}

const mailingsKey = ['admin-mailings']

/** Lists the mailings of one added newsletter, or all mailings. */
export const mailingsQuery = (newsletterId: number | null) =>
  pagedQuery([...mailingsKey, newsletterId], adminMailingsCall, { limit: pageSize, newsletterId })

const mailingKey = (id: string) => ['admin-mailing', id]

export const mailingQuery = (id: string) =>
  alwaysStaleQuery(
    mailingKey(id),
    adminMailingCall,
    { id },
    { refetchInterval: ({ state: { data } }) => (data ? refetchIntervalOf(data) : false) },
  )

const useRefreshMailing = (id: string) => useInvalidate(mailingKey(id), mailingsKey)

type MailingSave = Omit<z.input<typeof adminSaveMailingCall.input>, 'id'>

/** Returns a function that saves a draft and refetches the mailing. */
export function useSaveMailing(id: string) {
  const refresh = useRefreshMailing(id)
  return async (change: MailingSave) => {
    const saved = await invoke(adminSaveMailingCall, { id, ...change })
    await refresh()
    return saved
  }
}

/** The server runs the checks again. If it found new errors, the page refetches them. */
export function useSendMailing(id: string) {
  const queryClient = useQueryClient()
  const refresh = useRefreshMailing(id)
  return useSensitiveMutation({
    mutationFn: async (wanted: { version: number; at: string | null; acceptedErrors: string[] }) => {
      try {
        return await invoke(adminSendMailingCall, { id, ...wanted })
      } catch (error) {
        if (error instanceof CallError && error.code === 'mailing_has_errors') {
          void queryClient.invalidateQueries({ queryKey: checksKey('mailing', id) })
        }
        throw error
      }
    },
    onSuccess: refresh,
  })
}
