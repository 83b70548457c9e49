#!/bin/sh
# An authority of one's own and the servers' certificate, for a year: certificates.sh FOLDER
#
# Called again it makes a new certificate by the same authority. ca.key belongs in no cluster: keep it where the folder is.
set -eu
umask 077
folder=${1:?"expected a folder for the certificates"}
mkdir -p "$folder"
cd "$folder"
curve="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
if [ ! -e ca.key ]; then
    # shellcheck disable=SC2086
    openssl req -x509 $curve -days 3650 -subj "/CN=Saloon in the cluster" -keyout ca.key -out ca.crt \
        -addext "keyUsage=critical,keyCertSign,cRLSign"
fi
# Envoy asks for the Service's name, the probes for localhost.
cat > names.cnf <<END
basicConstraints = critical, CA:FALSE
extendedKeyUsage = serverAuth
subjectAltName = DNS:saloon, DNS:localhost
END
# shellcheck disable=SC2086
openssl req $curve -subj "/CN=saloon" -keyout new.key -out request.csr
openssl x509 -req -in request.csr -CA ca.crt -CAkey ca.key -days 365 -extfile names.cnf -out tls.crt
mv new.key tls.key
rm request.csr names.cnf
