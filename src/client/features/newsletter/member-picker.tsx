import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { TextField } from '#client/ui/field.tsx'
import { adminUsersCall } from '#shared/contracts/admin-users.ts'

export type PickedMember = { id: string; email: string }
const offered = 8

type MemberPickerProps = { member: PickedMember | null; onPick: (member: PickedMember | null) => void }

/** One member by address. The browser's own list of suggestions: it works with a keyboard and on a phone as it always does. */
export function MemberPicker({ member, onPick }: MemberPickerProps) {
  const listId = useId()
  const [typed, setTyped] = useState(member?.email ?? '')
  const search = typed.trim()
  const { data } = useQuery({
    queryKey: ['admin-users', 'picker', search],
    queryFn: ({ signal }) => invoke(adminUsersCall, { search, limit: offered }, signal),
    enabled: search.length > 0,
    placeholderData: keepPreviousData,
  })
  const found = data?.users ?? []
  const isNobody = search.length > 0 && data?.users.length === 0
  return (
    <>
      <TextField
        label="As a member sees it"
        hint={member ? 'This member’s own order.' : isNobody ? 'No address fits.' : 'Begin to type an address.'}
        type="email"
        list={listId}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          const wanted = target.value.trim().toLowerCase()
          onPick(found.find(({ email }) => email === wanted) ?? null)
        }}
        onBlur={() => onPick(found.find(({ email }) => email === search.toLowerCase()) ?? null)}
      />
      <datalist id={listId}>
        {found.map(({ id, email }) => (
          <option key={id} value={email} />
        ))}
      </datalist>
    </>
  )
}
