import { useState } from 'react'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { CheckField, InlineError, TextAreaField, TextField } from '#client/ui/form.tsx'
import { type CommentItem, changeCommentCall, postCommentCall } from '#shared/contracts/reader/comments.ts'
import { maxCommentLength } from '#shared/domain/comments.ts'

/** The display name, which the form asks for with the first answer. */
export const NameField = ({ own }: { own?: string | null | undefined }) => (
  <TextField
    label="Display name"
    name="shownName"
    autoComplete="off"
    required
    maxLength={60}
    defaultValue={own ?? ''}
    hint="Readers see it on your answers, with your trade, how many stores you have, and “Worked for me” if you said so. They see nothing else about you."
  />
)

type CommentFormProps = {
  issueId: string
  parentId?: string
  /** The answer to change instead of a new one. */
  edited?: { id: string; source: string }
  label: string
  action: string
  asksName?: boolean
  mayAsk?: boolean
  onPosted?: (posted: CommentItem) => void
  onClose?: () => void
}

/** Posts or changes an answer. The text stays in the field if that fails. */
export function CommentForm({ issueId, parentId, edited, onPosted, onClose, ...shown }: CommentFormProps) {
  const [text, setText] = useState(edited?.source ?? '')
  const post = useChange(postCommentCall, {
    onSuccess: (posted) => {
      setText('')
      onPosted?.(posted)
    },
  })
  const edit = useChange(changeCommentCall, { done: 'Changes saved', onSuccess: onClose ?? (() => {}) })
  const change = edited ? edit : post
  const handleSubmit = submitHandler(change, (field, form) => {
    if (edited) return edit.mutate({ id: edited.id, text })
    const name = shown.asksName ? field('shownName') : null
    post.mutate({ issueId, parentId, text, isQuestion: form.has('isQuestion'), name })
  })
  return (
    <form onSubmit={handleSubmit} className="grid max-w-2xl gap-3">
      <TextAreaField
        label={shown.label}
        rows={4}
        required
        autoFocus={onClose !== undefined}
        maxLength={maxCommentLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {shown.asksName && <NameField />}
      {shown.mayAsk && <CheckField name="isQuestion" label="This is a question to the editor" />}
      <InlineError>{formErrorMessage(change.error)}</InlineError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="secondary" pending={change.isPending}>
          {shown.action}
        </Button>
        {onClose && (
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
