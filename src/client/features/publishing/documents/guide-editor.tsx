import { guideTypes } from '#shared/contracts/library/library.ts'
import type { GuideDraft } from '#shared/contracts/publishing/documents.ts'
import { LineField, LinesField, SelectField, TextAreaField } from './fields.tsx'
import { GuideFiles } from './guide-files.tsx'
import { CheckedOnField, ItemFields } from './item-fields.tsx'

const audiences = [
  { value: 'members', label: 'Members' },
  { value: 'free', label: 'Anyone who gets the free edition' },
] as const

const typeOptions = guideTypes.map((value) => ({ value, label: value }))

type GuideEditorProps = {
  id: string
  draft: GuideDraft
  onChange: (draft: GuideDraft) => void
  hasBeenPublished: boolean
}

export function GuideEditor({ id, draft, onChange, hasBeenPublished }: GuideEditorProps) {
  const set = (change: Partial<GuideDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <LineField label="Title" path="title" value={draft.title} onChange={(title) => set({ title })} />
      <GuideFiles
        guideId={id}
        current={draft.fileVersion}
        hasBeenPublished={hasBeenPublished}
        onChoose={(file) => set({ fileVersion: file?.version ?? null, ...(file && { format: file.format }) })}
      />
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <SelectField
          label="Type"
          path="type"
          options={typeOptions}
          value={draft.type}
          onChange={(type) => type && set({ type })}
        />
        <LineField label="Format" path="format" value={draft.format} onChange={(format) => set({ format })} />
        <LineField
          label="Length"
          path="extent"
          placeholder="10 pages"
          value={draft.extent}
          onChange={(extent) => set({ extent })}
        />
      </div>
      <CheckedOnField className="sm:max-w-xs" value={draft.checkedOn} onChange={set} />
      <TextAreaField
        label="Description"
        path="description"
        rows={3}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <SelectField
        label="Who can download it"
        path="gift"
        hint={
          draft.gift
            ? `At /free/guides/${id} people enter an address and get this guide with the free edition.`
            : 'A guide can come as a gift with the free edition.'
        }
        options={audiences}
        value={draft.gift ? 'free' : 'members'}
        onChange={(audience) => set({ gift: audience === 'free' })}
      />
      <LinesField
        label="Inside"
        path="inside"
        hint="What’s inside, one item per line."
        value={draft.inside}
        onChange={(inside) => set({ inside })}
      />
      <ItemFields prefix="" value={draft} onChange={set} />
    </>
  )
}
