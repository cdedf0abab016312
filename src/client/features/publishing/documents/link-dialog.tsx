import { type SubmitEvent, useState } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { linkMarkdown, linkWords, problemOfAddress } from './markdown-commands.ts'

type LinkDialogProps = {
  kind: 'link' | 'button'
  /** The selected text. */
  words: string
  onInsert: (markdown: string) => void
  onClose: () => void
}

/** Asks for the text and the address of a link or button. */
export function LinkDialog({ kind, words: selected, onInsert, onClose }: LinkDialogProps) {
  const [words, setWords] = useState(linkWords(selected))
  const [address, setAddress] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const wordsProblem = linkWords(words) === '' ? 'Enter the text that readers see' : null
  const addressProblem = problemOfAddress(address)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (wordsProblem || addressProblem) return
    onInsert(linkMarkdown(linkWords(words), address, kind === 'button' ? 'button' : undefined))
  }

  return (
    <Dialog title={kind === 'link' ? 'Insert a link' : 'Insert a button'} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        <TextField
          label={kind === 'link' ? 'Link text' : 'Button text'}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          error={(isChecked && wordsProblem) || undefined}
          autoComplete="off"
        />
        <AddressField value={address} onChange={setAddress} error={(isChecked && addressProblem) || undefined} />
        <FormActions action={kind === 'link' ? 'Insert link' : 'Insert button'} pending={false} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

type AddressFieldProps = { label?: string; value: string; onChange: (value: string) => void; error: string | undefined }

export const AddressField = ({ label = 'Link address', value, onChange, error }: AddressFieldProps) => (
  <TextField
    label={label}
    hint="For example https://example.com or /portal/guides."
    inputMode="url"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={error}
  />
)
