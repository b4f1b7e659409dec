# One image for all processes. Its argument says which one runs:
#   docker build --tag gatehouse .
#   docker run --read-only --env-file guests.env gatehouse services/guests/main.ts

FROM node:26-trixie-slim AS installed
WORKDIR /gatehouse
COPY . .
RUN npm ci --omit=dev
# The apps for people, and then what built them goes.
RUN node apps/main.ts && rm -r node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss*
# What no process reads.
RUN find node_modules -name '*.map' -delete -o -name '*.d.[cm]ts' -delete -o -name '*.d.ts' -delete -o -iname 'readme.md' -delete -o -iname 'changelog.md' -delete
# Node is one of the packages, so that it is the same everywhere. It needs a library which the image below lacks.
RUN mv node_modules/node/bin/node . && rm -r node_modules/node node_modules/.bin && cp /usr/lib/*-linux-gnu/libatomic.so.1 .

# The C and C++ libraries and certificates, without a shell.
FROM gcr.io/distroless/cc-debian13:nonroot
WORKDIR /gatehouse
COPY --from=installed /gatehouse/libatomic.so.1 /usr/lib/
COPY --from=installed /gatehouse/node /usr/local/bin/
COPY --from=installed /gatehouse/node_modules node_modules
COPY package.json ./
COPY proto proto
COPY gateway gateway
COPY services services
COPY cli cli
COPY clients clients
COPY --from=installed /gatehouse/apps/scanner/dist apps/scanner/dist
COPY --from=installed /gatehouse/apps/leads/dist apps/leads/dist
COPY --from=installed /gatehouse/apps/print/dist apps/print/dist
COPY --from=installed /gatehouse/apps/console/dist apps/console/dist
COPY --from=installed /gatehouse/apps/built.ts apps/
COPY --from=installed /gatehouse/apps/package.json apps/
COPY deploy/local deploy/local
USER 65532:65532
# Outside a container processes listen on loopback.
ENV HOST=0.0.0.0
# The threshold and the flags are those of deploy/local/program.ts, which says why.
ENV MALLOC_MMAP_THRESHOLD_=1048576
ENTRYPOINT ["node", "--max-semi-space-size=8", "--no-allocation-site-pretenuring", "--v8-pool-size=1"]
CMD ["gateway/main.ts"]
