import { Upload } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { imageLimits } from '#shared/contracts/publishing-library.ts'

type FileButtonProps = {
  label: string
  /** What the file dialog offers; what is taken is the server's to say. */
  accept: string
  pending: boolean
  onFile: (file: File) => void
}

/** A button that asks for a file. The input itself stays out of the way, and of the order of the tab key. */
export function FileButton({ label, accept, pending, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // The same file may be chosen again, after it was mended.
    event.target.value = ''
    if (file) onFile(file)
  }
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept={accept}
        onChange={handleChange}
        className="hidden"
        tabIndex={-1}
        aria-label={label}
      />
      <Button variant="secondary" pending={pending} onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-4" strokeWidth={1.75} />
        {label}
      </Button>
    </div>
  )
}

export function ImageUpload({ pending, onFile }: Pick<FileButtonProps, 'pending' | 'onFile'>) {
  return (
    <div className="grid gap-1.5">
      <FileButton
        label="Upload an image"
        accept="image/jpeg,image/png,image/webp,image/gif"
        pending={pending}
        onFile={onFile}
      />
      <p className="text-sm text-muted">
        JPEG, PNG, WebP or GIF, up to {imageLimits.bytes / 1024 / 1024} MB. Place and camera are taken out.
      </p>
    </div>
  )
}
