import { useEffect, useState } from 'preact/hooks'
import type { ScannerSay } from '../texts/say.ts'

/** What phones let a page set of a camera (Image Capture). */
interface CameraAbilities {
  torch?: boolean
  zoom?: { min: number; max: number; step: number }
}

interface Props {
  say: ScannerSay
  track: MediaStreamTrack
  /** Another camera is chosen. */
  choose: (camera: string) => void
}

/** The light, the zoom and the choice of a camera, as far as there are any. */
export function CameraControls({ say, track, choose }: Props) {
  const [cameras, setCameras] = useState<MediaDeviceInfo[]>([])
  const [isLit, setLit] = useState(false)
  useEffect(() => {
    setLit(false)
    navigator.mediaDevices.enumerateDevices().then(
      (all) => setCameras(all.filter(({ kind }) => kind === 'videoinput')),
      () => {},
    )
  }, [track])
  const { torch, zoom } = (track.getCapabilities?.() ?? {}) as CameraAbilities
  const set = (what: object) => track.applyConstraints({ advanced: [what as MediaTrackConstraintSet] })
  const light = () =>
    set({ torch: !isLit }).then(
      () => setLit(!isLit),
      () => {},
    )
  const { deviceId, zoom: zoomed } = track.getSettings() as MediaTrackSettings & { zoom?: number }
  return (
    <>
      {torch && (
        <button type="button" class="second" aria-pressed={isLit} onClick={() => void light()}>
          {say('camera_light')}
        </button>
      )}
      {zoom && zoom.max > zoom.min && (
        <label class="zoom">
          {say('camera_zoom')}
          <input
            type="range"
            min={zoom.min}
            max={zoom.max}
            step={zoom.step}
            value={zoomed}
            onInput={({ currentTarget }) => void set({ zoom: Number(currentTarget.value) }).catch(() => {})}
          />
        </label>
      )}
      {cameras.length > 1 && (
        <select
          aria-label={say('camera_choice')}
          value={deviceId}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {cameras.map(({ deviceId, label }) => (
            <option key={deviceId} value={deviceId}>
              {label}
            </option>
          ))}
        </select>
      )}
    </>
  )
}
