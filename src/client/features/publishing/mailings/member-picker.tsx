import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { callQuery } from '#client/lib/calls.ts'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { TextField } from '#client/ui/form.tsx'
import { adminUsersCall } from '#shared/contracts/operations/admin-users.ts'

/** Number of suggestions. */
const maxSuggestions = 8

/** Members whose address matches. The previous result stays while a new search loads. */
const membersQuery = (search: string) =>
  callQuery(
    ['admin-users', 'picker', search],
    adminUsersCall,
    { search, limit: maxSuggestions },
    { placeholderData: keepPreviousData },
  )

export type PickedMember = { id: string; email: string }
const typingPauseMs = 250

type MemberPickerProps = {
  member: PickedMember | null
  /** Hint about the selected member. */
  note: string | undefined
  onPick: (member: PickedMember | null) => void
}

/** Picks one member by email address, with the browser's native suggestions. */
export function MemberPicker({ member, note, onPick }: MemberPickerProps) {
  const listId = useId()
  const [typed, setTyped] = useState(member?.email ?? '')
  const search = typed.trim()
  const settled = useDebounced(search, typingPauseMs)
  const { data } = useQuery({ ...membersQuery(settled), enabled: settled.length > 0 })
  const found = data?.users ?? []
  const hasNoMatch = search.length > 0 && data?.users.length === 0
  const match = found.find(({ email }) => email === search.toLowerCase())
  // The result may arrive after the field lost focus; an exact match selects the member.
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once per change
  useEffect(() => onPick(match ?? null), [match?.id])
  return (
    <>
      <TextField
        label="Preview as a member"
        hint={member ? note : hasNoMatch ? 'No member with this address.' : 'Enter an email address.'}
        type="email"
        list={listId}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <datalist id={listId}>
        {found.map(({ id, email }) => (
          <option key={id} value={email} />
        ))}
      </datalist>
    </>
  )
}
