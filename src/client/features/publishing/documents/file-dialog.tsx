import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { upload } from '#client/lib/calls.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { FileButton } from '#client/ui/file-button.tsx'
import { FormActions, FormError, TextField } from '#client/ui/form.tsx'
import { adminUploadTextFileCall, guideFileLimitBytes } from '#shared/contracts/publishing/publishing-library.ts'
import { fileTitle, type TextFileKind } from '#shared/domain/text-files.ts'
import { linkMarkdown, linkWords } from './markdown-commands.ts'

const dialogs = {
  file: {
    title: 'Insert a file',
    button: 'Upload a file',
    action: 'Insert file',
    accept: '.pdf,.docx,.xlsx,.pptx,.zip',
    formats: 'PDF, Word, Excel, PowerPoint or ZIP',
    hint: 'Anyone who can read the text can download it.',
  },
  audio: {
    title: 'Insert audio',
    button: 'Upload audio',
    action: 'Insert audio',
    accept: 'audio/*,.mp3,.m4a,.wav',
    formats: 'MP3, M4A or WAV',
    hint: 'Anyone who can read the text can play it. For a longer recording, use Details.',
  },
} as const

type FileDialogProps = { kind: TextFileKind; onInsert: (markdown: string) => void; onClose: () => void }

/** Uploads a file or sound and asks for the words that readers see. */
export function FileDialog({ kind, onInsert, onClose }: FileDialogProps) {
  const { title, button, action, accept, formats, hint } = dialogs[kind]
  const [words, setWords] = useState('')
  const [isTooLarge, setIsTooLarge] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const send = useMutation({
    mutationFn: (file: File) => upload(adminUploadTextFileCall, { kind, name: file.name.slice(0, 200) }, file),
  })
  const handleFile = (file: File) => {
    const exceeds = file.size > guideFileLimitBytes
    setIsTooLarge(exceeds)
    if (exceeds) return send.reset()
    if (!words) setWords(linkWords(file.name.replace(/\.\w+$/, '').replaceAll(/[-_]+/g, ' ')))
    send.mutate(file)
  }
  const wordsProblem = linkWords(words) === '' ? 'Enter the title that readers see' : null
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (send.data && !wordsProblem) onInsert(linkMarkdown(linkWords(words), send.data.path, fileTitle(send.data)))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        <div className="grid gap-1.5">
          <FileButton label={button} accept={accept} pending={send.isPending} onFile={handleFile} />
          <p className="text-sm text-muted">
            {formats}, up to {guideFileLimitBytes / 1024 / 1024} MB. {hint}
          </p>
          <p role="status" className="text-sm [overflow-wrap:anywhere] empty:hidden">
            {send.data && `${send.data.name}, ${fileTitle(send.data).replace(/^\w+, /, '')}`}
          </p>
        </div>
        <FormError>
          {isTooLarge
            ? `This file is larger than ${guideFileLimitBytes / 1024 / 1024} MB. Choose a smaller one.`
            : (formErrorMessage(send.error) ??
              (isChecked && !send.data && !send.isPending ? 'Choose a file' : undefined))}
        </FormError>
        <TextField
          label="Title"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          error={(isChecked && wordsProblem) || undefined}
        />
        <FormActions action={action} pending={send.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
