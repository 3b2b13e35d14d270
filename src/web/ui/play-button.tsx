import { Pause, Play } from 'lucide-react'

/** The round button of a player. */
export function PlayButton({
  label,
  isPlaying,
  onPress,
}: {
  label: string
  isPlaying: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onPress}
      className="grid size-11 shrink-0 place-items-center rounded-full bg-primary text-primary-fg hover:bg-primary-hover"
    >
      {isPlaying ? (
        <Pause aria-hidden="true" size={20} fill="currentColor" strokeWidth={0} />
      ) : (
        <Play aria-hidden="true" size={20} fill="currentColor" strokeWidth={0} className="ml-0.5" />
      )}
    </button>
  )
}
