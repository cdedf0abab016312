import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { SelectField } from '#client/ui/select-field.tsx'
import { formatCount } from '#shared/domain/format-count.ts'
import {
  maxOtherSubjects,
  maxSubjectLength,
  problemOfSubjectTest,
  problemOfTestSize,
  type SubjectTest,
  testShares,
} from '#shared/domain/subject-test.ts'

const hourChoices = [1, 2, 3, 4, 6, 8, 12, 24, 48]
const firstTest: SubjectTest = { otherSubjects: [''], share: 20, hours: 4, measure: 'clicks' }

type SubjectTestFieldsProps = {
  subject: string
  value: SubjectTest | null
  tracked: boolean
  readerHours: boolean
  repliesRead: boolean
  /** Who would receive the mailing now; undefined while it is counted. */
  receiving: number | undefined
  onChange: (value: SubjectTest | null) => void
}

/** The other subjects of a draft, how many readers get them, and when the best is chosen. */
export function SubjectTestFields({ value, onChange, ...draft }: SubjectTestFieldsProps) {
  return (
    <div className="grid max-w-3xl gap-5">
      <Choice
        type="checkbox"
        label="Test other subjects"
        description="If the difference could be chance, the first subject goes out."
        checked={value !== null}
        onChange={({ target }) => onChange(target.checked ? firstTest : null)}
      />
      {value && <TestFields {...draft} value={value} onChange={onChange} />}
    </div>
  )
}

type TestFieldsProps = Omit<SubjectTestFieldsProps, 'value'> & { value: SubjectTest }

function TestFields({ subject, value, receiving, onChange, ...can }: TestFieldsProps) {
  const { otherSubjects, share, hours, measure } = value
  const change = (part: Partial<SubjectTest>) => onChange({ ...value, ...part })
  const problem =
    problemOfSubjectTest(subject, value, can) ??
    (receiving === undefined ? null : problemOfTestSize(receiving, 1 + otherSubjects.length, share))
  return (
    <>
      {otherSubjects.map((text, index) => (
        // The fields have no other identity than their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index} className="flex items-end gap-3">
          <TextField
            label={`Subject ${index + 2}`}
            fieldClassName="min-w-0 grow"
            maxLength={maxSubjectLength}
            value={text}
            onChange={({ target }) => change({ otherSubjects: otherSubjects.with(index, target.value) })}
          />
          {otherSubjects.length > 1 && (
            <Button
              variant="secondary"
              aria-label={`Remove subject ${index + 2}`}
              onClick={() => change({ otherSubjects: otherSubjects.toSpliced(index, 1) })}
            >
              Remove
            </Button>
          )}
        </div>
      ))}
      {otherSubjects.length < maxOtherSubjects && (
        <div>
          <Button variant="secondary" onClick={() => change({ otherSubjects: [...otherSubjects, ''] })}>
            Add a third subject
          </Button>
        </div>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Readers in the test"
          value={share}
          onChange={({ target }) => change({ share: Number(target.value) })}
        >
          {testShares.map((percent) => (
            <option key={percent} value={percent}>
              {percent}%
            </option>
          ))}
        </SelectField>
        {(can.repliesRead || measure === 'replies') && (
          <SelectField
            label="Choose the best by"
            hint={
              measure === 'replies'
                ? 'Counts readers who reply by email, without automatic replies. It takes many readers to tell: few of them reply.'
                : undefined
            }
            value={measure}
            onChange={({ target }) => change({ measure: target.value === 'replies' ? 'replies' : 'clicks' })}
          >
            <option value="clicks">Clicks</option>
            <option value="replies">Replies</option>
          </SelectField>
        )}
        <SelectField
          label="Choose the best after"
          value={hours}
          onChange={({ target }) => change({ hours: Number(target.value) })}
        >
          {hourChoices.map((each) => (
            <option key={each} value={each}>
              {formatCount(each, 'hour')}
            </option>
          ))}
        </SelectField>
      </div>
      {problem && (
        <p role="status" className="text-sm text-muted">
          {problem}
        </p>
      )}
    </>
  )
}
