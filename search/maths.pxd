"""exp and log of our own: the C library's differ from machine to machine in the last bit, and a search must not.

Errors are below 1e-5, relative for exp and absolute for log, which is far below what a search can tell apart.
"""
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcpy


cdef inline float float_of(uint32_t bits) noexcept nogil:
    cdef float x
    memcpy(&x, &bits, 4)
    return x


cdef inline float exp_of(float x) noexcept nogil:
    """e ** x for x <= 0; 0 below -80."""
    cdef float t, f
    cdef int32_t whole
    if x < -80:
        return 0.0
    t = x * <float>1.44269504
    whole = <int32_t>t - (t < <int32_t>t)       # floor
    f = t - whole                               # 2 ** f by its series: f is below 1
    f = 1 + f * (<float>0.69314718 + f * (<float>0.24022651 + f * (<float>0.05550411 + f * (
        <float>0.00961813 + f * (<float>0.00133336 + f * <float>0.00015404)))))
    return f * float_of((<uint32_t>(127 + whole)) << 23)


cdef inline float log_of(float x) noexcept nogil:
    """The natural logarithm of x >= 1."""
    cdef uint32_t bits
    cdef float m, z, z2
    cdef int32_t exponent
    memcpy(&bits, &x, 4)
    exponent = <int32_t>(bits >> 23) - 127
    m = float_of((bits & 0x7FFFFF) | 0x3F800000)    # x = m * 2 ** exponent, 1 <= m < 2
    z = (m - 1) / (m + 1)                           # log m by the series of the area tangent
    z2 = z * z
    return exponent * <float>0.69314718 + 2 * z * (1 + z2 * (
        <float>0.33333333 + z2 * (<float>0.2 + z2 * (<float>0.14285714 + z2 * <float>0.11111111))))
