import { keepPreviousData } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { pagedQuery } from '#client/lib/paged-query.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminExportLogCall, adminStaffLogCall } from '#shared/contracts/identity/admin-security.ts'
import type { AuditObject, SecurityEvent } from '#shared/domain/security-events.ts'

export type LogFilter = {
  email: string
  event: SecurityEvent | null
  object: AuditObject['kind'] | null
  /** First and last day; empty for no limit. */
  from: string
  until: string
}

const pageSize = 50

const wire = ({ email, event, object, from, until }: LogFilter) => ({
  email: email || null,
  event,
  object,
  from: from || null,
  until: until || null,
})

/** Newest events first. The previous result stays while a new filter loads. */
export const staffLogQuery = (filter: LogFilter) =>
  pagedQuery(
    ['admin-audit-log', filter],
    adminStaffLogCall,
    { ...wire(filter), limit: pageSize },
    { placeholderData: keepPreviousData },
  )

export const useExportLog = () =>
  useSensitiveMutation({
    mutationFn: (filter: LogFilter) => invoke(adminExportLogCall, wire(filter)),
    failure: 'We couldn’t export the log',
    onSuccess: ({ fileName, csv }) => saveFile(fileName, csv, 'text/csv'),
  })
