import type { Say } from '@gatehouse/proto/pages/languages.ts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type CameraProblem, openCamera } from '../camera/camera.ts'
import { watch } from '../camera/watching.ts'

type CameraState = 'off' | 'starting' | 'on' | CameraProblem

/** The texts of the camera. */
type CameraSay = Say<'camera_start' | 'camera_stop' | CameraProblem>

interface Props {
  say: CameraSay
  found: (content: string) => void
  /** The camera that was chosen; undefined for the one on the back. */
  camera?: string | undefined
  /** Whether it starts by itself, and is not to be stopped. */
  stays?: boolean
  /** What is below the picture of a camera. */
  controls?: (track: MediaStreamTrack) => ComponentChildren
}

/** What the camera sees, and whose codes it finds. */
export function CameraView({ say, found, camera, stays = false, controls }: Props) {
  const [state, setState] = useState<CameraState>(stays ? 'starting' : 'off')
  const [track, setTrack] = useState<MediaStreamTrack>()
  const video = useRef<HTMLVideoElement>(null)
  const isWanted = state === 'starting' || state === 'on'
  useEffect(() => {
    if (!isWanted || !video.current) return
    const ending = new AbortController()
    const { signal } = ending
    openCamera(video.current, signal, camera).then((problem) => {
      if (signal.aborted) return
      setState(problem ?? 'on')
      setTrack((video.current?.srcObject as MediaStream | null)?.getVideoTracks()[0])
    })
    // At once, so that what reads codes is loaded while the camera opens.
    void watch(video.current, found, signal)
    return () => {
      ending.abort()
      setTrack(undefined)
    }
  }, [isWanted, camera])
  useEffect(() => {
    // Whoever has allowed it once wants it again.
    navigator.permissions
      .query({ name: 'camera' as PermissionName })
      .then(({ state }) => state === 'granted' && setState('starting'))
      .catch(() => {})
  }, [])

  return (
    <div class="camera">
      <video ref={video} hidden={!isWanted} muted playsInline />
      {track && controls?.(track)}
      {!(isWanted && stays) && (
        <button type="button" class={isWanted ? 'second' : ''} onClick={() => setState(isWanted ? 'off' : 'starting')}>
          {say(isWanted ? 'camera_stop' : 'camera_start')}
        </button>
      )}
      {state.startsWith('camera_') && <p role="alert">{say(state as CameraProblem)}</p>}
    </div>
  )
}
