import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { callQuery } from '#client/lib/call-query.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { adminStaffEmailsCall } from '#shared/contracts/operations/staff-emails.ts'
import { staffEmailLabels } from '#shared/domain/staff-emails.ts'

const staffEmailsQuery = callQuery(['staff-emails'], adminStaffEmailsCall, {})

function useChooseStaffEmail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (save: NonNullable<z.input<typeof adminStaffEmailsCall.input>['save']>) =>
      invoke(adminStaffEmailsCall, { save }),
    onSuccess: (answer) => queryClient.setQueryData(staffEmailsQuery.queryKey, answer),
  })
}

/** The emails that the person gets about the publication. Each choice is saved at once. */
export function StaffEmails() {
  const emails = useQuery(staffEmailsQuery)
  const choose = useChooseStaffEmail()
  if (!emails.data) return <QueryPlaceholder query={emails} what="your emails" lines={5} height="h-16" />
  const isOn = ({ kind, on }: (typeof emails.data.items)[number]) =>
    choose.isPending && choose.variables.kind === kind ? choose.variables.on : on
  return (
    <div className="grid max-w-3xl gap-6 py-4">
      <ChoiceGroup
        legend="Email me about"
        hint="Only you get them: others on the staff choose for themselves. At most one email an hour about each."
      >
        {emails.data.items.map((item) => (
          <Choice
            key={item.kind}
            type="checkbox"
            name={item.kind}
            {...staffEmailLabels[item.kind]}
            checked={isOn(item)}
            onChange={({ target }) => choose.mutate({ kind: item.kind, on: target.checked })}
          />
        ))}
      </ChoiceGroup>
      <FormError>{formErrorMessage(choose.error)}</FormError>
      <p className="text-sm text-muted">{ownWords`Depending on your role, you always get alerts about what failed, such as a mailing, a scheduled drop or a backup.`}</p>
    </div>
  )
}
