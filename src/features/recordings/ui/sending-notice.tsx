import { Button } from '#web/ui/button.tsx'

import { type Sent, bytesSent, troubleWith } from './sent.ts'
import { takeFocus } from './take-focus.ts'

/** Shows how many bytes of a file were sent, and then that the server measures it. */
export function SendingNotice({
  file,
  sent,
  onCancel,
}: {
  file: File
  sent: Sent
  onCancel: () => void
}) {
  const { sentBytes, totalBytes } = sent
  const isSent = totalBytes > 0 && sentBytes >= totalBytes
  const share = totalBytes > 0 ? sentBytes / totalBytes : 0
  const percent = Math.floor(share * 100)
  return (
    <section
      aria-labelledby="sending-heading"
      className="rounded-panel border border-rule bg-card p-4 sm:p-8"
    >
      <h2
        ref={takeFocus}
        id="sending-heading"
        tabIndex={-1}
        className="font-display text-section font-semibold outline-none"
      >
        Uploading and processing file...
      </h2>
      <p className="mt-1.5 text-ink-2">Please wait while we process your file</p>
      <p className="mt-6 font-[650] wrap-anywhere">{file.name}</p>
      <progress
        className="sr-only"
        aria-label="Upload"
        aria-valuetext={isSent ? 'Sent, the length is being measured' : `${percent}% sent`}
        value={percent}
        max={100}
      />
      <div aria-hidden="true" className="relative mt-4 h-2 rounded-full bg-rule">
        <div className="absolute inset-0 overflow-hidden rounded-full">
          <div
            className="size-full origin-left bg-ink-2 transition-transform"
            style={{ transform: `scaleX(${share})` }}
          />
        </div>
        <div className="absolute inset-0 overflow-clip [overflow-clip-margin:6px]">
          <div
            className="size-full transition-transform"
            style={{ transform: `translateX(${share * 100}%)` }}
          >
            <div className="absolute -inset-y-1 -left-px w-[2.5px] rounded-full bg-playhead" />
          </div>
        </div>
      </div>
      <div className="mt-4 flex items-center justify-between gap-4">
        <p className="text-small text-ink-2 tabular-nums">
          {isSent
            ? 'Measuring its length…'
            : `Uploading file... ${bytesSent({ sentBytes, totalBytes })}`}
        </p>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p role="status" className="text-small text-ink-2">
        {isSent ? null : troubleWith(sent)}
      </p>
    </section>
  )
}
