import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { TextField } from '#client/ui/field.tsx'
import { membersQuery } from './members.api.ts'

export type PickedMember = { id: string; email: string }
const typingPauseMs = 250

type MemberPickerProps = {
  member: PickedMember | null
  /** About the member who was picked. */
  note: string | undefined
  onPick: (member: PickedMember | null) => void
}

/** One member by address. The browser's own list of suggestions: it works with a keyboard and on a phone as it always does. */
export function MemberPicker({ member, note, onPick }: MemberPickerProps) {
  const listId = useId()
  const [typed, setTyped] = useState(member?.email ?? '')
  const search = typed.trim()
  const settled = useDebounced(search, typingPauseMs)
  const { data } = useQuery({ ...membersQuery(settled), enabled: settled.length > 0 })
  const found = data?.users ?? []
  const isNobody = search.length > 0 && data?.users.length === 0
  const match = found.find(({ email }) => email === search.toLowerCase())
  // The answer may come after the field was left: whoever's whole address stands in it is meant.
  // biome-ignore lint/correctness/useExhaustiveDependencies: told of each change once, whoever the page makes listen
  useEffect(() => onPick(match ?? null), [match?.id])
  return (
    <>
      <TextField
        label="Preview as a member"
        hint={member ? note : isNobody ? 'No member with this address.' : 'Enter an email address.'}
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
