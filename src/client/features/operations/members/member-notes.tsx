import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, TextAreaField } from '#client/ui/form.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminAddMemberNoteCall,
  adminDeleteMemberNoteCall,
  adminEditMemberNoteCall,
  adminMemberNotesCall,
  type MemberNote,
  maxNoteLength,
} from '#shared/contracts/operations/member-notes.ts'

/** Notes of staff about a member. */
export function MemberNotes({ userId }: { userId: string }) {
  const notes = useQuery(alwaysStaleQuery(['admin-member-notes', userId], adminMemberNotesCall, { userId }))
  const add = useChange(adminAddMemberNoteCall)
  /** A new id for each new note, so that a second click adds nothing. */
  const [draft, setDraft] = useState<{ id: string } | null>(null)
  return (
    <Section title="Notes" lede="For staff. The member doesn’t see them here, but their data export includes the text.">
      <div className="grid gap-5">
        {draft ? (
          <NoteForm
            label="New note"
            action="Add note"
            initial=""
            change={add}
            onSave={(text) => add.mutate({ userId, id: draft.id, text }, { onSuccess: () => setDraft(null) })}
            onCancel={() => {
              add.reset()
              setDraft(null)
            }}
          />
        ) : (
          <p>
            <Button variant="secondary" onClick={() => setDraft({ id: crypto.randomUUID() })}>
              Add note
            </Button>
          </p>
        )}
        {notes.data ? (
          notes.data.notes.length > 0 && (
            <ul aria-label="Notes" className="divide-y divide-line border-y border-line">
              {notes.data.notes.map((note) => (
                <NoteRow key={note.id} note={note} />
              ))}
            </ul>
          )
        ) : notes.isError ? (
          <LoadError what="the notes" query={notes} />
        ) : (
          <SkeletonText lines={1} />
        )}
      </div>
    </Section>
  )
}

function NoteRow({ note }: { note: MemberNote }) {
  const [isEditing, setIsEditing] = useState(false)
  const edit = useChange(adminEditMemberNoteCall)
  const remove = useChange(adminDeleteMemberNoteCall, { done: 'Note deleted', failure: 'The note wasn’t deleted' })
  const { id, text, createdAt, createdBy, updatedAt, updatedBy } = note
  if (isEditing) {
    return (
      <li className="py-4">
        <NoteForm
          label="Note"
          action="Save"
          initial={text}
          change={edit}
          onSave={(changed) => edit.mutate({ id, text: changed, updatedAt }, { onSuccess: () => setIsEditing(false) })}
          onCancel={() => {
            edit.reset()
            setIsEditing(false)
          }}
        />
      </li>
    )
  }
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-3">
      <div className="min-w-0 grow basis-80 [overflow-wrap:anywhere]">
        <p className="max-w-[70ch] whitespace-pre-line">{text}</p>
        <p className="text-sm text-muted">
          {createdBy}, <Timestamp inline at={createdAt} />
          {updatedAt !== createdAt && (
            <>
              {' '}
              · edited by {updatedBy}, <Timestamp inline at={updatedAt} />
            </>
          )}
        </p>
      </div>
      <div className="-mx-3 flex">
        <Button variant="quiet" size="sm" onClick={() => setIsEditing(true)}>
          Edit
        </Button>
        <ConfirmButton
          label="Delete"
          variant="quiet"
          size="sm"
          pending={remove.isPending}
          title="Delete this note?"
          action="Delete"
          onConfirm={() => remove.mutate({ id })}
        >
          The staff log keeps its text.
        </ConfirmButton>
      </div>
    </li>
  )
}

type NoteFormProps = {
  label: string
  action: string
  initial: string
  change: { isPending: boolean; error: Error | null }
  onSave: (text: string) => void
  onCancel: () => void
}

function NoteForm({ label, action, initial, change, onSave, onCancel }: NoteFormProps) {
  const handleSubmit = submitHandler(change, (text) => text('text') !== '' && onSave(text('text')))
  return (
    <form onSubmit={handleSubmit} className="grid max-w-2xl gap-4">
      <TextAreaField
        label={label}
        name="text"
        rows={3}
        required
        maxLength={maxNoteLength}
        defaultValue={initial}
        autoFocus
        className="py-2"
      />
      <FormActions action={action} change={change} onCancel={onCancel} />
    </form>
  )
}
